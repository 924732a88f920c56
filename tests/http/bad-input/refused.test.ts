// One witness over HTTP for each class of bad input: the refusal, its journal entry and the unchanged world. Every case in full is tested
// in tests/engine/request.
import { expect } from 'chai';
import { entriesIn, sendRaw, useServer } from '../../support/wire/server.js';
import { operationIds, validQuestions, withBody } from '../../support/worlds/valid.js';
import { ask, bytesOf, freshSandbox, gotFrom, pathOf, type Refusal, refuses, type Sent, worldOf } from './wire.js';

const WIKI = '/rest/cwxapiextension/latest';
const ADD = `${WIKI}/groups/add-users`;
const EDIT = `${WIKI}/permissions/edit`;
const refusal = (status: number, code: Refusal['code'], message: Refusal['message']): Refusal => ({
  status,
  code,
  message,
});
const copying = (changes: Readonly<Record<string, string>>) =>
  pathOf(
    'spaces.copy',
    String(
      new URLSearchParams({ ...(validQuestions['spaces.copy'].query as Readonly<Record<string, string>>), ...changes }),
    ),
  );

type Row = readonly [sent: Sent, status: number, code: Refusal['code'], message: RegExp];
const refused: Readonly<Record<string, Row>> = {
  'a path like another': [{ path: `${WIKI}/groups/add-user` }, 404, 'bad-address', new RegExp(`path is ${ADD}\\.$`)],
  'a path in another case': [{ path: `${WIKI}/groups/Add-Users` }, 404, 'wrong-case', /^.* case-sensitive\.$/],
  'a path that does not decode': [{ path: `${EDIT}/%ff` }, 400, 'undecodable-path', /^The path ".*\/%ff" /],
  'a page id that is no number': [
    { id: 'permissions.edit-add', path: `${EDIT}/%0D%0AX:1` },
    404,
    'page-id-format',
    /^The page id "\\r\\nX:1" /,
  ],
  'a query that does not decode': [
    { id: 'spaces.is-unique', query: 'spaceKey=%C3%28&spaceName=x' },
    400,
    'query-undecodable',
    /^"spaceKey=%C3%28" /,
  ],
  'an unknown reading': [
    { headers: { 'x-fake-reading': 'context-path=/\u00e4' } },
    400,
    'unknown-reading',
    /^context-path has no reading "\/.+"/,
  ],
  'a name with line ends': [
    { body: JSON.stringify({ group: 'customers', users: ['a\r\nX-Injected: yes'] }) },
    404,
    'unknown-user',
    /"a\\r\\nX-Injected: yes"/,
  ],
  'a thousand values of the wrong type': [
    { body: JSON.stringify({ group: 'customers', users: Array.from({ length: 1000 }, (_, i) => i) }) },
    400,
    'body-shape',
    /^.{1,400}; and 995 more\.$/,
  ],
};

describe('bad input', () => {
  const server = useServer();

  for (const [what, [sent, status, code, message]] of Object.entries(refused))
    it(`is refused: ${what} (${status})`, async () => {
      const { headers } = await refuses(server, sent, { status, code, message });
      for (const [name, value] of headers) expect(`${name}: ${value}`).to.match(/^[\x20-\x7e]*$/);
    });

  const bodies: ReadonlyArray<readonly [what: string, body: string | Buffer, refusal: Refusal]> = [
    ['that is empty', '', refusal(400, 'body-absent', /^The body is missing/)],
    ['with a byte order mark alone', '\ufeff', refusal(400, 'body-absent', /^The body is missing/)],
    [
      'that is not JSON, with the place',
      '{"group":"customers","users":["alice"],}',
      refusal(400, 'body-not-json', /^The body is not JSON: .{1,200}position \d+/s),
    ],
    [
      'that is not UTF-8',
      Buffer.from('{"group":"Käufer","users":["alice"]}', 'latin1'),
      refusal(400, 'body-not-utf8', 'The body is not valid UTF-8: send JSON encoded as UTF-8.'),
    ],
  ];
  for (const [what, body, expected] of bodies)
    it(`is refused: a body ${what}`, async () => {
      for (const framing of ['length', 'chunked'] as const) await refuses(server, { framing, body }, expected);
    });

  for (const id of withBody)
    it(`is refused by ${id}: no body, an empty one`, async () => {
      const isPpf = id.startsWith('ppf.');
      const absent = id.startsWith('permissions.') ? 'lists-absent' : 'body-absent';
      const expected = isPpf
        ? refusal(400, 'ppf-no-recipient', /^The body must have at least one of users and groups\./)
        : refusal(400, absent, /^The body is missing: send a JSON (object|array).* as application\/json\.$/);
      await refuses(server, { id, framing: 'none', body: '' }, expected);
      await refuses(server, { id, body: '' }, expected);
    });

  it('is refused below the path of a sandbox with the nearest path below it', async () => {
    const sandbox = await freshSandbox(server);
    const path = `/~${sandbox}${WIKI}/groups/add-user`;
    await refuses(server, { path }, refusal(404, 'bad-address', new RegExp(`is /~${sandbox}${ADD}\\.$`)), sandbox);
  });

  it('is refused with a short answer if the path is long', async () => {
    const expected = refusal(404, 'bad-address', /^Unknown path ".{77}\.\.\."/);
    for (const path of [`/${'/'.repeat(15_000)}`, `/rest${'/rest'.repeat(3000)}`]) {
      const got = await refuses(server, { path }, expected);
      expect(got.message.length).to.be.below(250);
    }
  });

  it('is in the journal as it arrived: a body that is not JSON', async () => {
    const sandbox = await freshSandbox(server);
    await ask(server, sandbox, { body: '\ufeff{"grüp":' });
    const [entry] = await entriesIn(server, sandbox);
    expect(entry?.request.body).to.equal('{"grüp":');
  });
});

describe('unusual input that is accepted', () => {
  const server = useServer();
  let sandbox: string;
  beforeEach(async () => {
    sandbox = await freshSandbox(server);
  });
  const accepts = async (sent: Sent) =>
    expect(await ask(server, sandbox, sent)).to.include({ status: 200, text: '{}' });

  for (const [what, body] of Object.entries({
    'a byte order mark': '\ufeff{"group":"customers","users":["alice"]}',
    'a key twice, of which the last counts': '{"group":"nobody","group":"customers","users":["alice"]}',
    'escapes in a name': '{"group":"custom\\u0065rs","users":["\\u0061lice"]}',
  }))
    it(what, async () => {
      await accepts({ framing: 'chunked', body });
      const { groups } = JSON.parse(await worldOf(server, sandbox)) as { groups: Record<string, string[]> };
      expect(groups.customers).to.deep.equal(['alice']);
    });

  it('a name of many kinds of characters, exported and found again', async () => {
    const name = 'a/b %zz cafe\u0301 👩‍👩‍👧‍👦 \u202E \0 \r\n \u001b[31m "\\" {{name}}';
    const body = JSON.stringify({ group: name, users: ['alice'] });
    await accepts({ body, headers: { 'x-fake-reading': 'unknown-group=create' } });
    const { groups } = JSON.parse(await worldOf(server, sandbox)) as { groups: Record<string, string[]> };
    expect(groups).to.have.property(name).that.deep.equals(['alice']);
    await accepts({ id: 'groups.remove-users', body });
    expect((await entriesIn(server, sandbox)).map(entry => entry.request.body)).to.deep.equal([body, body]);
  });

  it('a title with any character, once it is decoded', async () => {
    const title = 'a b+c/d[e]=f&?\r\ng:h\0 你😀';
    expect(
      (await ask(server, sandbox, { id: 'spaces.copy', path: copying({ targetSpaceTitle: title }) })).status,
    ).to.equal(200);
    const { spaces } = JSON.parse(await worldOf(server, sandbox)) as { spaces: Record<string, { name: string }> };
    expect(spaces.APOLLO?.name).to.equal(title);
  });

  it('unknown and repeated parameters, which the journal lists', async () => {
    const query = 'spaceKey=free&spaceName=Free&spaceKey=ds&os_authType=basic&x&x=2&__proto__=1';
    expect((await ask(server, sandbox, { id: 'spaces.is-unique', query })).text).to.equal('true');
    const [entry] = await entriesIn(server, sandbox);
    expect(entry?.unknownQuery).to.deep.equal(['os_authType', 'x', '__proto__']);
    expect(entry?.repeatedQuery).to.deep.equal(['spaceKey', 'x']);
    expect(entry?.url).to.equal(pathOf('spaces.is-unique', query));
  });

  it('a whole URL as the request target, and a fragment after it', async () => {
    await accepts({ path: `http://localhost:1${ADD}` });
    await accepts({ path: `${ADD}#top` });
  });
});

describe('a body that no operation reads', () => {
  const server = useServer();
  const withoutTimes = async (sandbox: string) => (await worldOf(server, sandbox)).replace(/"\d{4}-[^"]*Z"/g, '""');

  for (const id of operationIds.filter(other => !withBody.includes(other)))
    it(`makes no difference to ${id}, unless it is too large`, async () => {
      const body = `"${'x'.repeat(1_048_576)}"`;
      await refuses(server, { id, body }, refusal(413, 'body-too-large', 'The body is larger than 1048576 bytes.'));
      const [without, withIt] = [await freshSandbox(server), await freshSandbox(server)];
      const plain = await ask(server, without, { id, framing: 'none', body: '', headers: { 'content-type': null } });
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-fake-reading': 'content-type=415' };
      const odd = await ask(server, withIt, { id, framing: 'chunked', body: Buffer.from([0x22, 0xff]), headers });
      expect(plain.status).to.equal(200);
      expect(odd).to.include({ status: 200, text: plain.text });
      expect(await withoutTimes(withIt)).to.equal(await withoutTimes(without));
    });
});

describe('request targets of another form', () => {
  const server = useServer();

  const turned = ADD.replace('/add', '\\add');
  it('are not addresses (400), and change nothing', async () => {
    const sandbox = await freshSandbox(server);
    const before = await worldOf(server, sandbox);
    const relative = ['http://[::1/x', 'http://', 'http://a:99999/x', '**', `http://[${ADD}`];
    for (const path of [...relative, `${turned}?#?`, `http://localhost${turned}`]) {
      const got = gotFrom(await sendRaw(server.url, bytesOf({ path }, sandbox)));
      const detail = `${JSON.stringify(path)} is not a request target: send a path that begins with a slash, or a complete http URL.`;
      expect(JSON.parse(got.text)).to.deep.equal({ status: 400, title: 'Bad Request', detail });
    }
    expect(await worldOf(server, sandbox)).to.equal(before);
  });
});
