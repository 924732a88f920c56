// Unusual bodies: truncated, not UTF-8, deep, wide, with names that objects inherit. Each with its meaning in a request.
import type { Body } from '../../../server/engine/request/request.js';
import type { Dice } from './dice.js';

export interface OddBody {
  readonly body: Body;
  readonly bytes?: Buffer;
}

/** `limit`: the most bytes the server reads. */
export function oddBody(dice: Dice, limit: number): OddBody {
  return dice.weighed<() => OddBody>([
    [2, () => ({ body: { kind: 'absent' } })],
    [2, () => ({ body: { kind: 'absent' }, bytes: Buffer.alloc(0) })],
    [8, () => ofText(oddText(dice))],
    [3, () => ofText(cutOff(dice))],
    [3, () => notUtf8(dice)],
    [1, () => deep(dice)],
    [1, () => ofText(wide(dice))],
    [1, () => ({ body: { kind: 'too-large', limit }, bytes: Buffer.alloc(limit + dice.between(1, 5_000), ' ') })],
    [1, () => ofText(`${' '.repeat(limit - 50)}{"group":"customers","users":["alice"]}`.padEnd(limit, '\n'))],
  ])();
}

/** A text as a body: the result of a JSON parser, without a byte order mark. */
function ofText(sent: string): OddBody {
  const bytes = Buffer.from(sent);
  const text = sent.replace(/^\ufeff/, '');
  if (text.length === 0) return { body: { kind: 'absent' }, bytes };
  try {
    return { body: { kind: 'json', value: JSON.parse(text), text }, bytes };
  } catch {
    return { body: { kind: 'not-json', text, problem: 'it is none' }, bytes };
  }
}

function oddText(dice: Dice): string {
  return dice.pick([
    'null',
    'true',
    '0',
    '""',
    '[]',
    '{}',
    '[{}]',
    '"__proto__"',
    '{"__proto__":{"admin":true},"group":"customers","users":["alice"]}',
    '{"constructor":{"prototype":{"x":1}},"groups":[],"users":[]}',
    '{"group":"customers","users":["alice"],"users":["carol"]}',
    '{"group":"customers","group":1,"users":[]}',
    '{"users":["alice"],"filters":[1e400]}',
    '{"users":["alice"],"filters":[10500.0,1.05e4,1e21,-0]}',
    '{"users":["alice"],"filters":[9007199254740993]}',
    '{"users":["alice"],"filters":["10500"]}',
    `{"users":["alice"],"filters":[${'9'.repeat(400)}]}`,
    '{"users":["\\ud800"],"filters":[10500]}',
    '{"group":"customers","users":["\\u0000","\ufffd","\u2028"]}',
    '{"group":"cus\\u0074omers","users":["\\u0061lice"]}',
    '[{"oldText":"","newText":"x"}]',
    '[{"oldText":"$&","newText":"$1"}]',
    '{"length":2,"0":"a"}',
    '{"toJSON":1,"group":"customers","users":[]}',
    'NaN',
    '{"group":"customers","users":["alice"],}',
    "{'group':'customers'}",
    '/**/{}',
    '{}{}',
    '\ufeff{}',
    '\ufeff{"group":"customers","users":["alice"]}',
    '\ufeff',
    '\u00a0{}',
    '\u0000',
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
    'group=customers&users=alice',
    '<a/>',
  ]);
}

function cutOff(dice: Dice): string {
  const whole = '{"group":"customers","users":["alice","carol"],"odd":[1,{"a":null}]}';
  return whole.slice(0, dice.between(1, whole.length - 1));
}

function notUtf8(dice: Dice): OddBody {
  const bad = dice.pick(['ff', 'c0af', 'eda080', 'f4908080', 'c3', '80', 'fe', 'f8888080']);
  const bytes = Buffer.concat([
    Buffer.from('{"group":"customers","users":["'),
    Buffer.from(bad, 'hex'),
    Buffer.from(dice.in100(80) ? '"]}' : ''),
  ]);
  return { body: { kind: 'not-utf8' }, bytes };
}

/** Too deep for a recursive walk. */
function deep(dice: Dice): OddBody {
  const depth = dice.between(100, 9_000);
  const [open, close] = dice.pick([['[', ']'] as const, ['{"a":', '}'] as const]);
  const nest = `${open.repeat(depth)}1${close.repeat(depth)}`;
  return ofText(
    dice.in100(50) ? nest : `{"group":"customers","users":["alice"],"odd":${nest}${dice.in100(90) ? '}' : ''}`,
  );
}

function wide(dice: Dice): string {
  const width = dice.between(100, 3_000);
  return dice.in100(50)
    ? `{"group":"customers","users":[${Array.from({ length: width }, () => '"alice"').join()}]}`
    : `{"group":"customers","users":["alice"],${Array.from({ length: width }, (_, i) => `"k${i}":${i}`).join()}}`;
}
