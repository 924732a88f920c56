// Bodies that are not JSON or not UTF-8, and unusual JSON that is read all the same (a byte order mark, a duplicate key).
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { serving } from '../../support/wire/server.js';
import { withBody } from '../../support/worlds/valid.js';
import { ask, entriesOf, freshSandbox, type Refusal, refuses, worldOf } from './wire.js';

const FRAMINGS = ['length', 'chunked'] as const;
const notUtf8: Refusal = {
  status: 400,
  code: 'body-not-utf8',
  message: 'The body is not UTF-8, in which JSON is sent.',
};

/** V8's parser message is part of ours; the tests only check that it names the place. */
const broken: ReadonlyArray<readonly [what: string, body: string, problem: RegExp]> = [
  ['an object that does not end', '{"group":"customers","users":["alice"]', /position \d+|end of JSON/],
  ['a text that does not end', '{"group":"custo', /position \d+/],
  ['a comma too many', '{"group":"customers","users":["alice"],}', /position \d+/],
  ['a comma too many in a list', '{"group":"customers","users":["alice",]}', /Unexpected token '\]'/],
  ['no comma', '{"group":"customers" "users":["alice"]}', /position \d+/],
  ['single quotes', "{'group':'customers','users':['alice']}", /position \d+/],
  ['names without quotes', '{group:"customers",users:["alice"]}', /position \d+/],
  ['a comment', '{"group":"customers",/* who */"users":["alice"]}', /position \d+/],
  ['two values', '{"group":"customers","users":["alice"]}{}', /position \d+/],
  ['NaN', '{"group":"customers","users":[NaN]}', /Unexpected token 'N'/],
  ['undefined', 'undefined', /"undefined" is not valid JSON/],
  ['a leading zero', '{"users":["alice"],"filters":[010500]}', /position \d+/],
  ['a hexadecimal number', '{"users":["alice"],"filters":[0x10]}', /position \d+/],
  ['a raw line end in a text', '{"group":"custo\nmers","users":["alice"]}', /position \d+/],
  ['a zero byte', '{"group":"customers","users":["alice"]}\0', /position \d+/],
  ['half an escape', '{"group":"\\u12","users":["alice"]}', /position \d+/],
  ['blanks alone', ' \r\n\t ', /Unexpected end of JSON input/],
  ['a form', 'group=customers&users=alice', /Unexpected token 'g'/],
  ['XML', '<group name="customers"/>', /Unexpected token '<'/],
  ['a mark in the middle', '{"group":"customers"\ufeff,"users":["alice"]}', /position \d+/],
];

const odd: ReadonlyArray<readonly [what: string, body: Buffer]> = [
  ['Latin-1', Buffer.from('{"group":"Käufer","users":["alice"]}', 'latin1')],
  ['UTF-16 with a mark', Buffer.from('\ufeff{"group":"customers","users":["alice"]}', 'utf16le')],
  [
    'an overlong form',
    Buffer.concat([Buffer.from('{"group":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('","users":[]}')]),
  ],
  [
    'half a pair of surrogates',
    Buffer.concat([Buffer.from('{"group":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('","users":[]}')]),
  ],
  ['a character cut off', Buffer.from('{"group":"€').subarray(0, -1)],
  ['a stray byte where no text is', Buffer.from([0x7b, 0xff, 0x7d])],
  ['what begins like zlib', Buffer.from([0x78, 0xff])],
  ['what begins like gzip', Buffer.from([0x1f, 0x8b, 0xff])],
];

describe('malformed bodies', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());

  for (const framing of FRAMINGS) {
    for (const [what, body, problem] of broken) {
      it(`are refused with the place: ${what} (${framing})`, async () => {
        const got = await refuses(
          server,
          { framing, body },
          { status: 400, code: 'body-not-json', message: /^The body is not JSON: .*\.$/s },
        );
        expect(got.message).to.match(problem);
        expect(got.message.length).to.be.below(200);
      });
    }

    for (const [what, body] of odd) {
      it(`are refused as not UTF-8: ${what} (${framing})`, async () => {
        await refuses(server, { framing, body }, notUtf8);
      });
    }
  }

  for (const id of withBody) {
    it(`are refused by ${id}`, async () => {
      await refuses(
        server,
        { id, body: '{"a":' },
        { status: 400, code: 'body-not-json', message: 'The body is not JSON: Unexpected end of JSON input.' },
      );
      await refuses(server, { id, body: Buffer.from([0xfe]) }, notUtf8);
    });
  }

  it('appear in the journal as they arrived', async () => {
    const sandbox = await freshSandbox(server);
    await ask(server, sandbox, { body: '\ufeff{"grüp":' });
    expect((await entriesOf(server, sandbox)).at(-1)?.request.body).to.equal('{"grüp":');
  });
});

describe('unusual bodies that are read', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());
  const customers = async (sandbox: string) =>
    (JSON.parse(await worldOf(server, sandbox)) as { groups: Record<string, string[]> }).groups.customers;

  for (const framing of FRAMINGS) {
    const joins: Readonly<Record<string, string>> = {
      'with a mark at the head': '\ufeff{"group":"customers","users":["alice"]}',
      'with blanks around': ' \t\r\n{"group" : "customers" , "users" : [ "alice" ]}\n\n',
      'with a key twice: the last counts': '{"group":"nobody","users":["bob"],"group":"customers","users":["alice"]}',
      'with a key twice, once escaped': '{"gr\\u006fup":"nobody","group":"customers","users":["alice"]}',
      'with escapes in a name': '{"group":"custom\\u0065rs","users":["\\u0061lice"]}',
    };
    for (const [what, body] of Object.entries(joins)) {
      it(`${what} (${framing})`, async () => {
        const sandbox = await freshSandbox(server);
        expect(await ask(server, sandbox, { framing, body })).to.include({ status: 200, text: '{}' });
        expect(await customers(sandbox)).to.deep.equal(['alice']);
      });
    }

    it(`with the replacement character, sent as such (${framing})`, async () => {
      const body = '{"group":"\ufffd","users":["alice"]}';
      await refuses(
        server,
        { framing, body },
        { status: 404, code: 'unknown-group', message: 'There is no group named "\ufffd".' },
      );
    });

    it(`a byte order mark alone is an empty body (${framing})`, async () => {
      const message = 'The body is empty, which is no JSON: send at least {} or [].';
      await refuses(server, { framing, body: '\ufeff' }, { status: 400, code: 'body-empty', message });
    });
  }
});
