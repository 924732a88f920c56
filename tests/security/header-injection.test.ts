// Names and texts that are, or might be, sent back in headers: none splits a response, adds a header, or makes Node throw.
// These requests use real connections, since only there a header is a line.
import { expect } from 'chai';
import { sendJson, useServer } from '../support/wire/server.js';
import { asked } from './asking.js';

const SET = '/rest/cwxapiextension/latest/groups/set-users';
const PUSH = '/rest/cwx-ppf/latest/push';
const SANDBOXES = '/_fake/v1/sandboxes';

const nasty: Readonly<Record<string, string>> = {
  'a line end and a header': 'a\r\nX-Injected: 1',
  'a whole response': 'a\r\n\r\nHTTP/1.1 200 OK\r\nX-Injected: 1\r\n\r\n',
  'a line feed alone': 'a\nX-Injected: 1',
  'a carriage return alone': 'a\rX-Injected: 1',
  'letters beyond Latin-1': '\u4f60\u597d\u{1f600}',
  'a line end of Unicode': 'a\u2028b\u010d\u010ab', // its last bytes are those of CR and LF
  'half a character': 'a\ud800',
  'a comma and an equals sign': 'a, unknown-user=skip',
  '64 KiB': 'x'.repeat(65_536),
};

/** All headers that a response of the fake may have. */
const known: readonly string[] = [
  ...'allow cache-control connection content-length content-type date keep-alive vary www-authenticate'.split(' '),
  ...'x-fake-fault x-fake-gaps x-fake-operation x-fake-rules x-fake-sandbox x-request-id'.split(' '),
];

describe('a name in a header', () => {
  const server = useServer();

  function expectWhole({ status, headers }: { status: number; headers: Headers }): void {
    expect(status).to.be.within(200, 499);
    expect([...headers.keys()].filter(name => !known.includes(name))).to.deep.equal([]);
    for (const [, value] of headers) expect(value).to.match(/^[\x20-\x7e]*$/);
  }

  for (const [what, text] of Object.entries(nasty)) {
    it(`is harmless with ${what}, as a name and in the world`, async () => {
      const encoded = encodeURIComponent(Buffer.from(text).toString()).slice(0, 12_000);
      const world = { users: { [text]: {} }, groups: { [text]: [] }, spaces: { [text]: { name: text } } };
      const at = (path: string) => `${SANDBOXES}/default${path}`;
      for (const [method, path, body, as] of [
        ['POST', SANDBOXES, { name: text }],
        ['POST', at('/snapshots'), { name: text, replace: true }],
        ['POST', at('/fork'), { name: text }],
        ['POST', at('/play'), { scenario: text }],
        ['POST', '/_fake/v1/provider-states', { state: text, action: 'setup' }],
        ['GET', `${SANDBOXES}/${encoded}`],
        ['GET', at(`/journal?rule=${encoded}&gap=${encoded}`)],
        ['POST', `/~${encoded}${PUSH}`],
        ['POST', `/${encoded}${PUSH}`],
        ['PUT', `${PUSH}/${encoded}`],
        ['PATCH', at('/world'), world],
        ['POST', SET, { group: text, users: [text] }],
        ['POST', PUSH, { users: [text], groups: [text], filters: [10500] }, 'admin'],
        ['POST', at('/explain'), { entry: 1, readings: { [text]: text } }],
      ] as const)
        expectWhole(await sendJson(server.url + path, method, body, as));
    });

    it(`is harmless with ${what} in a request header`, async () => {
      const bytes = Buffer.from(text.replace(/[\r\n\0]/g, ''), 'utf8')
        .toString('latin1')
        .slice(0, 12_000);
      for (const name of ['X-Request-Id', 'X-Fake-Sandbox', 'X-Fake-Reading', 'Authorization']) {
        const headers = ['Host: localhost', `${name}: ${bytes}`, 'Content-Type: application/json'];
        for (const target of [SET, SANDBOXES]) {
          const seen = await asked(server.url, { method: 'POST', target, headers, body: '{}' });
          expectWhole({ status: seen.status, headers: new Headers(seen.headers) });
          if (name === 'X-Request-Id') expect(seen.headers['x-request-id']).to.match(/^[\x21-\x7e]{1,128}$/);
        }
      }
    });
  }
});

describe('a header of a fault', () => {
  const server = useServer();
  it('is sent unchanged if it is valid, however long', async () => {
    const long = 'x'.repeat(65_536);
    const effect = { headers: { 'X-Long': long, 'X-Fake-Rules': 'mine', 'X-Tab': 'a\tb' } };
    const faults = [{ operation: 'groups.set-users', effect }];
    const armed = await sendJson(`${server.url}${SANDBOXES}/default/faults`, 'PUT', { faults });
    expect(armed.status).to.equal(200);
    const headers = ['Host: localhost', 'Content-Type: application/json'];
    const body = '{"group":"customers","users":[]}';
    const seen = await asked(server.url, { method: 'POST', target: SET, headers, body });
    expect({ status: seen.status, xLong: seen.headers['x-long'], xTab: seen.headers['x-tab'] }).to.deep.equal({
      status: 200,
      xLong: long,
      xTab: 'a\tb',
    });
  });
});
