// Damaged stored data: each kind is reported as such, without quoting secrets. And values that JSON cannot represent.
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import { sandboxFormat } from '../../../server/engine/codec/sandbox-codec.js';
import type { Fault } from '../../../server/engine/faults/fault.js';
import { arm } from '../../../server/engine/faults/fault.js';
import { advanceAll, begin, type Change } from '../../../server/engine/sandbox/state.js';
import { StoreError, type StoreFailure } from '../../../server/engine/store.js';
import { smallTeam } from '../../support/worlds/ask.js';
import { noPart, noParts } from './no-parts.js';
import { Walk } from './walk.js';

const format = sandboxFormat();
const origin = { scenario: 'small-team', world: smallTeam, readings: {} };

async function failureOf(read: () => unknown): Promise<StoreError> {
  try {
    await read();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  return expect.fail('it was read');
}
function expectFailure({ failure, message }: StoreError, as: StoreFailure, what: string): void {
  expect([failure, message]).to.deep.equal([as, message]);
  expect(message).to.contain(what);
}

describe('a damaged log entry', () => {
  const cases: ReadonlyArray<readonly [text: string, what: string]> = [
    ['', 'an entry is no JSON'],
    ['[{"type":"group-created","group":"secret', 'an entry is no JSON'],
    ['{"type":"group-created"}', 'an entry must be a list, and is an object'],
    ['[null]', 'an entry, at /0 must be an object, and is null'],
    ['[{}]', 'an entry, at /0/type is not there, which this version does not know'],
    [
      '[{"type":"sandbox-reset"},{"type":"group-crated","group":"a"}]',
      '/1/type is the text "group-crated", which this version does not know (did you mean "group-created"?)',
    ],
    ['[{"type":"__proto__"}]', '/0/type is the text "__proto__", which this version does not know'],
    ['[{"type":"group-created"}]', '/0/group must be text, and is not there'],
    ['[{"type":"group-members-set","group":"a","users":["b",5]}]', '/0/users/1 must be text, and is the number 5'],
    [
      '[{"type":"page-permission-added","page":"1","permission":"own","users":[],"groups":[]}]',
      '/0/permission must be "edit" or "view"',
    ],
    [
      '[{"type":"favourite-added","item":"filters","ids":[-1],"users":[]}]',
      '/0/ids/0 must be a whole number from 0, and is the number -1',
    ],
    ['[{"type":"rewound","to":1.5}]', '/0/to must be a whole number from 0'],
    [
      '[{"type":"readings-set","readings":{"no-change":"perhaps"}}]',
      'has a reading that this version does not know: no-change has no reading "perhaps"',
    ],
    ['[{"type":"readings-set","readings":{"no-gap":"400"}}]', 'There is no gap "no-gap"'],
    ['[{"type":"clock-set","clock":{"stands":"soon"}}]', '/0/clock/stands must be an instant'],
    ['[{"type":"clock-set","clock":{"ahead":1e300}}]', '/0/clock/ahead must be milliseconds'],
    ['[{"type":"clock-set","clock":{}}]', '/0/clock/ahead must be milliseconds, and is not there'],
    [
      '[{"type":"faults-set","faults":[{"fault":{"path":"/"},"met":0,"fired":0}]}]',
      '/0/faults/0/fault/effect must be an object',
    ],
    [
      '[{"type":"faults-set","faults":[{"fault":{"path":"/","effect":{"delay":["1"]}},"met":0,"fired":0}]}]',
      '/effect/delay/0 must be a whole number',
    ],
    ['[{"type":"world-patched","patch":{"groups":{"a":"b"}}}]', '/0/patch/groups/a must be a list'],
    ['[{"type":"world-patched","patch":{"users":[]}}]', '/0/patch/users must be an object, and is an empty list'],
    [
      '[{"type":"world-patched","patch":{"pages":{"1":{"edit":{"users":5}}}}}]',
      '/0/patch/pages/1/edit/users must be a list',
    ],
    [
      '[{"type":"world-patched","patch":{"filters":{"1":{"sharedWith":"me"}}}}]',
      '/0/patch/filters/1/sharedWith must be "everyone" or "nobody"',
    ],
    [
      '[{"type":"world-patched","patch":{"licence":{"ppf":"free"}}}]',
      '/0/patch/licence/ppf must be "valid" or "expired" or "none"',
    ],
  ];
  for (const [text, what] of cases)
    it(`is reported: ${text.slice(0, 80) || 'nothing'}`, async () => {
      const failure = await failureOf(() => format.readEntry(text, noPart));
      expectFailure(failure, 'format', what);
      expect(failure.message).to.not.contain('secret');
    });
});

describe('a damaged journal entry', () => {
  const walk = new Walk(origin);
  walk.ask({
    method: 'POST',
    url: '/rest/cwxapiextension/latest/groups/add-users?odd=1',
    credentials: { kind: 'none' },
    contentType: 'application/json',
    body: { kind: 'not-json', text: '{', problem: 'it ends' },
  });
  const whole = JSON.parse(format.writeNote(walk.notes[0] ?? expect.fail('there is one'), noParts)) as Record<
    string,
    unknown
  >;
  const cases: ReadonlyArray<readonly [with_: object, what: string]> = [
    [{ at: undefined }, 'a journal entry, at /at must be text, and is not there'],
    [{ rules: 'ppf.push' }, '/rules must be a list'],
    [{ answer: {} }, '/answer/status must be a whole number'],
    [{ request: { contentType: '', unread: { kind: 'odd' } } }, '/request/unread/kind must be "empty" or "not-json"'],
    [{ request: { contentType: '', unread: { kind: 'too-large' } } }, '/request/unread/limit must be a whole number'],
    [
      { facts: [{ type: 'sandbox-reset' }] },
      '/facts/0/type is the text "sandbox-reset", which this version does not know',
    ],
    [{ gaps: { 'no-change': 5 } }, '/gaps/no-change must be text'],
  ];
  it('is read if it is whole', () => expect(format.readNote(JSON.stringify(whole), noPart)).to.deep.equal(whole));
  for (const [other, what] of cases)
    it(`is reported: with ${JSON.stringify(other)}`, async () =>
      expectFailure(
        await failureOf(() => format.readNote(JSON.stringify({ ...whole, ...other }), noPart)),
        'format',
        what,
      ));
});

describe('a damaged base', () => {
  const walk = new Walk(origin);
  walk.patch({ groups: { customers: ['alice'] } });
  walk.change({ type: 'snapshot-kept', name: 's', of: 1, at: walk.time });
  const written = format.writeBase(walk.state);
  const text = written.parts.values().next().value?.() ?? '';
  const reading =
    (base: string, part = async (_: string) => text) =>
    () =>
      sandboxFormat().readBase(base, part);

  const cases: ReadonlyArray<readonly [from: string, to: string, what: string]> = [
    ['{"worlds"', '{"worldz"', 'the base, at /worlds must be a list, and is not there'],
    ['"world":1', '"world":7', 'the base names the world 7, and has 2'],
    ['"world":1', '"world":"1"', '/state/world must be a whole number'],
    ['"scenario":"small-team"', '"scenario":null', '/origin/scenario must be text, and is null'],
    ['"world":"w-', '"world":"x-', '/origin/world must be the name of a world'],
    [
      '"beyond":{}',
      '"beyond":{"lastPositions":{"ds":"9"}}',
      '/worlds/0/beyond/lastPositions/ds must be a whole number',
    ],
    ['"name":"s"', '"nam":"s"', '/snapshots/0/name must be text'],
    ['"faults":[]', '"faults":null', '/state/faults must be a list, and is null'],
  ];
  for (const [from, to, what] of cases)
    it(`is reported: ${to} for ${from}`, async () => {
      expect(written.text).to.contain(from);
      expectFailure(await failureOf(reading(written.text.replace(from, to))), 'format', what);
    });

  it('is reported if truncated', async () =>
    expectFailure(await failureOf(reading(written.text.slice(0, -9))), 'format', 'the base is no JSON'));

  it('is reported as lost if a part has other content, with the name of the part', async () => {
    const [name] = [...written.parts.keys()];
    const failure = await failureOf(reading(written.text, async () => text.replace('Alice', 'Alicf')));
    expectFailure(failure, 'lost', `The part ${name} is damaged`);
    expect(failure.message).to.not.contain('Alic');
  });

  it("is reported in the store's words if a part is missing", async () => {
    const lost = async () => {
      throw new StoreError('lost', 'it is not there');
    };
    expect((await failureOf(reading(written.text, lost))).message).to.equal('it is not there');
  });
});

describe('a value without an exact form in JSON', () => {
  const again = (...changes: Change[]) => format.readEntry(format.writeEntry(changes, noParts), noPart);

  it('is written as JSON.stringify writes it in responses', () => {
    const odd = { path: '/x', caller: undefined, effect: { status: 500, body: [Number.NaN, 1 / 0, -0, undefined] } };
    const [change] = again({ type: 'faults-set', faults: arm([odd as unknown as Fault]) });
    expect(change).to.deep.equal({
      type: 'faults-set',
      faults: [{ fault: { path: '/x', effect: { status: 500, body: [null, null, 0, null] } }, met: 0, fired: 0 }],
    });
    expect(JSON.stringify(change)).to.contain(JSON.stringify(odd.effect.body));
  });

  it('keeps the world equal if it is a position of -0', () => {
    const change = { type: 'world-patched', patch: JSON.parse('{"pages":{"65601":{"position":-0}}}') } as const;
    const worlds = [[change], again(change)].map(
      changes => advanceAll(begin(origin), changes, { at: () => undefined }).world,
    );
    expect(JSON.stringify(worlds.map(world => formOf(world).pages['65601']?.position))).to.equal('[0,0]');
  });

  it('can be a name every object inherits, half a surrogate pair, or a line end', () => {
    for (const name of ['__proto__', 'constructor', '\ud800', '\udc00\ud800', '\u2028\n\r"\\', '']) {
      const patch = { groups: Object.fromEntries([[name, [name]]]) };
      const text = format.writeEntry([{ type: 'world-patched', patch }], noParts);
      expect(/[\n\r]|\p{Surrogate}/u.test(text)).to.equal(false);
      expect(format.readEntry(text, noPart)).to.deep.equal([{ type: 'world-patched', patch }]);
      expect(
        Object.keys((format.readEntry(text, noPart)[0] as { patch: { groups: object } }).patch.groups),
      ).to.deep.equal([name]);
    }
  });
});
