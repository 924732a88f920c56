// Mutates bytes so that their meaning is unknown.
import type { Dice } from './dice.js';

type Texts = readonly [string, ...string[]];

/** Headers in places where they change the meaning of a request. */
const lines = [
  ...['Content-Length: 0', 'Content-Length: 5', 'Transfer-Encoding: chunked', 'Transfer-Encoding : chunked'],
  ...['Transfer-Encoding: identity, chunked', 'Connection: close', 'Connection: upgrade\r\nUpgrade: websocket'],
  ...['Expect: 100-continue', 'Expect: other', 'Content-Encoding: gzip', 'Content-Encoding: br'],
  ...['Content-Type: application/json; charset=utf-7', 'Host: evil.example', 'Origin: http://evil.example'],
  ...['X-Fake-Reading: unknown-user=skip', 'X-Fake-Sandbox: ..', 'X-Request-Id: a\u00ffb'],
];

/** Bytes and texts that have broken parsers. */
const tokens: Texts = [
  '\0',
  ...'\r\n \t:,;%/?#"\\{]\u00ff\u00e90',
  ...['\r\n', '\r\n\r\n', '\n\n', '\r\n ', '0\r\n\r\n', ' HTTP/1.1\r\n', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ...'%00 %2f %zz // /../ -1 18446744073709551616 ffffffffffffffff HTTP/1.0 HTTP/2.0 __proto__ NaN 1e999'.split(' '),
  ...lines.map(line => `\r\n${line}`),
];

const targets: Texts = [
  '',
  ...String.raw`* / // ? /? /_fake /_fake/ /_fake/v1/ /_fake/v2/sandboxes /_fake/health?x localhost:80 javascript:alert(1)
    ///rest/cwx-ppf/latest/push //evil.example/rest/cwx-ppf/latest/push /rest//cwx-ppf/latest/push
    /rest/cwx-ppf/latest/../latest/push /rest/cwx-ppf/latest/push/ /rest/cwx-ppf/latest/push;x=1
    /rest/cwx-ppf/latest/push#x /rest/cwx-ppf/latest/push?#? /rest/cwx-ppf/latest/%70ush
    /rest/cwx-ppf/latest/push%00 /rest/cwx-ppf/latest/push% /rest\cwx-ppf\latest\push
    /%2e%2e/%2e%2e/etc/passwd /../../etc/passwd /~/rest/cwx-ppf/latest/push /~../rest/cwx-ppf/latest/push
    /~%2e/rest/cwx-ppf/latest/push /~a/~b/rest/cwx-ppf/latest/push /~__proto__/rest/cwx-ppf/latest/push
    /rest/cwxapiextension/latest/permissions/edit/%E0%A4%A /rest/cwxapiextension/latest/permissions/edit/%2F
    /rest/cwxapiextension/latest/permissions/edit/__proto__ http://localhost/rest/cwx-ppf/latest/push
    http://localhost http:// http:/// http://[::1 http://localhost:99999999/rest/cwx-ppf/latest/push
    http://user:secret@localhost/rest/cwx-ppf/latest/push https://evil.example/rest/cwx-ppf/latest/push
    /_fake/v1/sandboxes/%2e%2e/world /_fake/v1/sandboxes/__proto__/world`.split(/\s+/),
];

const methods: Texts = [
  '',
  'PO ST',
  '\u00ff',
  ...'CONNECT TRACE PROPFIND M-SEARCH QUERY SOURCE PURGE BREW post POSTX PRI OPTIONS'.split(' '),
];

/** The bytes with this many mutations, of any kinds. */
export function mutated(bytes: Buffer, changes: number, dice: Dice): Buffer {
  let changed = bytes;
  for (let i = 0; i < changes; i += 1) changed = dice.weighed(kinds)(changed, dice);
  return changed;
}

type Mutation = (bytes: Buffer, dice: Dice) => Buffer;

/** Most mutations hit the head: one parser reads a body, many read the head. */
function place(bytes: Buffer, dice: Dice): number {
  const end = bytes.indexOf('\r\n\r\n') + 4;
  return dice.in100(75) && end > 4 ? dice.under(end) : dice.under(bytes.length + 1);
}

function replaced(bytes: Buffer, from: number, to: number, by: Buffer | string): Buffer {
  const middle = typeof by === 'string' ? Buffer.from(by, 'latin1') : by;
  return Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(to)]);
}

const kinds: ReadonlyArray<readonly [weight: number, choice: Mutation]> = [
  [4, flip],
  [4, (bytes, dice) => replaced(bytes, ...twice(place(bytes, dice)), dice.pick(tokens))],
  [3, overwrite],
  [2, (bytes, dice) => replaced(bytes, ...twice(place(bytes, dice)), dice.bytes(dice.between(1, 12)))],
  [2, remove],
  [2, double],
  [1, (bytes, dice) => bytes.subarray(0, place(bytes, dice))],
  [2, (bytes, dice) => inLine(bytes, 1, dice.pick(targets))],
  [1, (bytes, dice) => inLine(bytes, 1, `/${dice.word(1, 1).repeat(dice.pick([10, 1_000, 9_000, 17_000, 40_000]))}`)],
  [1, (bytes, dice) => inLine(bytes, 0, dice.pick(methods))],
  [
    1,
    (bytes, dice) =>
      inLine(
        bytes,
        2,
        dice.pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/1.2', 'HTTP/3', 'http/1.1', 'HTTP/1.1 ', '', 'ICE/1.0', 'RTSP/1.0']),
      ),
  ],
  [2, ofLine],
];

function twice(at: number): [number, number] {
  return [at, at];
}

function flip(bytes: Buffer, dice: Dice): Buffer {
  const copy = Buffer.from(bytes);
  const at = place(bytes, dice);
  if (at < copy.length) copy.writeUInt8(copy.readUInt8(at) ^ (1 << dice.under(8)), at);
  return copy;
}

function overwrite(bytes: Buffer, dice: Dice): Buffer {
  const at = place(bytes, dice);
  const token = dice.pick(tokens);
  return replaced(bytes, at, Math.min(bytes.length, at + token.length), token);
}

function remove(bytes: Buffer, dice: Dice): Buffer {
  const at = place(bytes, dice);
  return replaced(bytes, at, Math.min(bytes.length, at + dice.between(1, 20)), '');
}

function double(bytes: Buffer, dice: Dice): Buffer {
  const from = place(bytes, dice);
  const part = bytes.subarray(from, from + dice.between(1, 200));
  return replaced(
    bytes,
    ...twice(place(bytes, dice)),
    Buffer.concat(Array.from({ length: dice.between(1, 5) }, () => part)),
  );
}

/** Another method, target or version. */
function inLine(bytes: Buffer, index: number, by: string): Buffer {
  const end = bytes.indexOf('\r\n');
  if (end === -1) return bytes;
  const parts = bytes.subarray(0, end).toString('latin1').split(' ');
  parts[index] = by;
  return replaced(bytes, 0, end, parts.join(' '));
}

/** A header line removed, repeated, folded, or with another value. */
function ofLine(bytes: Buffer, dice: Dice): Buffer {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return bytes;
  const lines = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const at = dice.between(Math.min(1, lines.length - 1), lines.length - 1);
  const line = lines[at] ?? '';
  const colon = line.indexOf(':');
  const others = [
    [],
    [line, line],
    [line, ` ${dice.word(1, 9)}`],
    [`${line.slice(0, colon + 1)}${dice.pick(tokens)}`],
    [`${line.slice(0, colon)} ${line.slice(colon)}`],
    [line, ...Array.from({ length: dice.pick([10, 500, 2_500]) }, (_, i) => `X-${i}: ${i}`)],
  ];
  lines.splice(at, 1, ...(others[dice.under(others.length)] ?? []));
  return replaced(bytes, 0, end, lines.join('\r\n'));
}
