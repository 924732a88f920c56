// Authorization headers that are unreadable or match no user: every operation refuses them with the reason and never records
// them.
import { expect } from 'chai';
import { basic, sendJson, useServer } from '../../support/wire/server.js';
import { operationIds } from '../../support/worlds/valid.js';
import { ask, freshSandbox, type Refusal, refuses } from './wire.js';

const base64 = (text: string | Buffer) => Buffer.from(text as string).toString('base64');
const refused = (message: string | RegExp): Refusal => ({ status: 401, code: 'bad-credentials', message });
const scheme = 'The Authorization header has a scheme that is neither Basic nor Bearer.';
const noToken = 'The Authorization header has the scheme Bearer but no token.';
const noUser = 'The Authorization header has the scheme Basic but no user and password.';
const notBase64 = 'The Basic credentials are not base64.';
const noColon = 'The Basic credentials have no colon between user and password.';
const notUtf8 = 'The Basic credentials are not UTF-8.';
const wrongPassword = 'Wrong password for "admin".';
const unknownToken = 'No user has this token.';

const unreadable: ReadonlyArray<readonly [header: string, message: string | RegExp]> = [
  ['', 'The Authorization header is empty.'],
  ['Basic', noUser],
  ['Basic !!!', notBase64],
  [`Basic ${base64('admin:admin')} x`, notBase64],
  ['Basic ÿÿÿÿ', notBase64],
  [`Basic ${base64('admin')}`, noColon],
  [`Basic ${base64(Buffer.from('k\xe4the:x', 'latin1'))}`, notUtf8],
  [`Basic ${base64(':')}`, / ""/],
  [`Basic ${base64('Admin:admin')}`, /"Admin"/],
  [`Basic ${base64(`${'x'.repeat(5000)}:x`)}`, /"x{77}\.{3}"/],
  [`Basic ${base64('a\r\nb:x')}`, /"a\\r\\nb"/],
  [`Basic ${base64('\ufeffadmin:admin')}`, /"\ufeffadmin"/],
  [`Basic ${base64('admin:')}`, wrongPassword],
  [`Basic ${base64('admin:admin ')}`, wrongPassword],
  [`Basic ${base64('admin:ad:min')}`, wrongPassword],
  ['Bearer', noToken],
  ['Bearer other', unknownToken],
  ['Bearer admin-token x', unknownToken],
  [`Bearer ${'x'.repeat(10_000)}`, unknownToken],
  ['Bearer:admin-token', scheme],
  ['admin-token', scheme],
  ['Digest username="admin"', scheme],
  ['Basic\tYWRtaW46YWRtaW4=', scheme],
];

describe('invalid credentials', () => {
  const server = useServer();

  for (const [authorization, message] of unreadable) {
    it(`Authorization: ${authorization.slice(0, 60)} (${String(message).slice(0, 60)})`, async () => {
      const got = await refuses(server, { id: 'ppf.push', headers: { authorization } }, refused(message));
      expect(got.headers.get('www-authenticate')).to.equal('Basic realm="cwx-fake", charset="UTF-8"');
      await refuses(server, { headers: { authorization } }, refused(message));
    });
  }

  it('are refused by every operation before it checks its query and its body', async () => {
    for (const id of operationIds) {
      const headers = { authorization: 'Basic x' };
      await refuses(server, { id, headers, query: 'x=%zz', body: '{' }, refused(noColon));
      const forbidden = { ...headers, 'x-fake-reading': 'bad-credentials=403' };
      const got = await refuses(server, { id, headers: forbidden }, { ...refused(noColon), status: 403 });
      expect(got.headers.has('www-authenticate')).to.equal(false);
    }
  });

  it('count once: the first of two headers, as in HTTP libraries', async () => {
    const [good, bad] = [basic('admin', 'admin'), 'Bearer other'];
    const sent = (one: string, two: string) =>
      ({ id: 'ppf.push', headers: { authorization: `${one}\r\nAuthorization: ${two}` } }) as const;
    expect((await ask(server, await freshSandbox(server), sent(good, bad))).status).to.equal(200);
    await refuses(server, sent(bad, good), refused(unknownToken));
  });
});

describe('unusual but valid credentials', () => {
  const server = useServer();

  const users = {
    'k\u00e4the': { password: 'p\u00e4:ss: w\u00f6rd', admin: true },
    'with space': { admin: true },
    blank: { password: '', admin: true },
  };
  const good: ReadonlyArray<readonly [what: string, header: string]> = [
    ['colons in the password', basic('k\u00e4the', 'p\u00e4:ss: w\u00f6rd')],
    ['a scheme in another case', basic('admin', 'admin').replace('Basic', 'bASIC')],
    ['more than one blank', basic('admin', 'admin').replace(' ', '    ')],
    ['base64 without its padding', basic('admin', 'admin').replaceAll('=', '')],
    ['a user without a password', basic('with space', '')],
    ['any password of such a user', basic('with space', ':::')],
    ['an empty password', basic('blank', '')],
    ['a token', 'Bearer admin-token'],
    ['a token under a scheme in another case', 'BEARER admin-token'],
  ];
  for (const [what, authorization] of good) {
    it(what, async () => {
      const sandbox = await freshSandbox(server);
      const patched = await sendJson(`${server.url}/_fake/v1/sandboxes/${sandbox}/world`, 'PATCH', { users });
      expect(patched.status, patched.text).to.equal(204);
      expect((await ask(server, sandbox, { id: 'ppf.push', headers: { authorization } })).status).to.equal(200);
      const wrong = { id: 'ppf.push', headers: { authorization: basic('blank', 'x') } } as const;
      await refuses(server, wrong, refused('Wrong password for "blank".'), sandbox);
    });
  }
});
