// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so placeholders are written
// Stubs: responses to requests that the fake does not model, in every way in which a fake can be reached.
import { expect } from 'chai';
import { createFake, type Sandbox, type Stub } from '../../../server/index.js';
import { scratch } from '../../support/files/scratch.js';
import { describeMatrix, type MatrixRow } from '../../support/worlds/matrix.js';
import { useFake } from '../../support/worlds/use-fake.js';

const hooks = '/rest/webhooks/1.0/webhook';
const json = { 'content-type': 'application/json' };
const none = { 'x-fake-stub': null };

const rows: readonly MatrixRow[] = [
  {
    what: 'answers with JSON and 200 by default, by its method, and HEAD like GET',
    stubs: [{ method: 'GET', path: hooks, body: [{ name: 'mine' }] }],
    calls: [
      {
        request: `GET ${hooks}?active=true`,
        status: 200,
        body: [{ name: 'mine' }],
        has: { ...json, 'x-fake-stub': `1 GET ${hooks}` },
      },
      { request: `HEAD ${hooks}`, status: 200, body: undefined, has: json },
      { request: `POST ${hooks}`, status: 404, has: none },
      { request: `OPTIONS ${hooks}`, status: 404, has: none },
    ],
  },
  {
    what: 'answers any method with a status, headers and text',
    stubs: [{ path: '/rest/webhooks/*/webhook', status: 418, headers: { 'X-Mine': 'a' }, body: 'tea' }],
    calls: ['GET', 'DELETE', 'OPTIONS'].map(method => ({
      request: `${method} ${hooks}`,
      status: 418,
      body: 'tea',
      has: { 'x-mine': 'a', 'content-type': 'text/plain; charset=utf-8' },
    })),
  },
  {
    what: 'answers with a content type of its own, or without a body',
    stubs: [
      { path: hooks, times: 1, headers: { 'content-type': 'application/problem+json' }, body: { title: 'no' } },
      { path: hooks, status: 204 },
    ],
    calls: [
      {
        request: `GET ${hooks}`,
        status: 200,
        body: { title: 'no' },
        has: { 'content-type': 'application/problem+json' },
      },
      { request: `GET ${hooks}`, status: 204, has: { 'content-type': null, 'x-fake-stub': `2 ${hooks}` } },
    ],
  },
  {
    what: "answers at paths of no API, and instead of 501 and 405 where Jira's and Confluence's resources are not served",
    stubs: [
      { path: '/rest/api/latest/issue/*', body: { key: 'A-1' } },
      { method: 'PATCH', path: '/rest/api/content/*', status: 202 },
      { path: '/plugins/servlet/x', body: 'mine' },
    ],
    calls: [
      { request: 'GET /rest/api/2/issue/A-1', status: 200, body: { key: 'A-1' } },
      { request: 'GET /rest/api/latest/issue/A-1', status: 200, body: { key: 'A-1' } },
      { request: 'GET /rest/api/2/issue/A-1/comment', status: 501, has: none },
      { request: 'DELETE /rest/api/content/1', status: 405, shows: 'the method is DELETE, not PATCH' },
      { request: 'GET /plugins/servlet/x', status: 200, body: 'mine' },
      { request: 'PATCH /rest/api/content/1', status: 202 },
    ],
  },
  {
    what: 'answers as often as it says, and the first that is due wins',
    stubs: [
      { path: hooks, when: { first: 1 }, status: 202 },
      { path: hooks, times: 1, body: 'done' },
    ],
    calls: [
      { request: `GET ${hooks}`, status: 202 },
      { request: `GET ${hooks}`, status: 200, body: 'done' },
      { request: `GET ${hooks}`, status: 404, has: none },
    ],
  },
  {
    what: 'leaves the operations and resources beside its pattern alone, and faults apply on top',
    stubs: [{ path: '/rest/api/2/*', status: 299, body: 'mine' }],
    faults: [{ path: '/rest/api/2/field', effect: { status: 503, body: { odd: true } } }],
    calls: [
      { id: 'jira.myself', status: 401, has: none },
      { request: 'GET /rest/api/2/field', status: 503, body: { odd: true }, has: { 'x-fake-fault': '1 status body' } },
      { request: 'GET /rest/api/2/status', status: 299, body: 'mine', has: { 'x-fake-fault': null } },
    ],
  },
  {
    what: 'compares query, headers and body, and the refusal names the nearest stub and what differs',
    stubs: [
      { path: hooks, match: { query: { kind: 'a' }, headers: { 'X-Id': { $match: '^[0-9]+$' } } }, body: 'both' },
      { path: hooks, match: { body: { $contains: { user: 'alice', roles: { $contains: ['admin'] } } } }, body: 'part' },
      { path: hooks, match: { body: 'plain' }, body: 'text' },
      { path: hooks, match: { query: { kind: { $absent: true } }, headers: { 'x-token': 'a' } }, body: 'none' },
    ],
    calls: [
      { request: `GET ${hooks}?kind=a&more=1`, sends: { headers: { 'x-id': '17' } }, status: 200, body: 'both' },
      {
        request: `POST ${hooks}`,
        sends: { headers: {}, body: '{"user":"alice","roles":["x","admin"],"more":1}' },
        status: 200,
        body: 'part',
      },
      { request: `POST ${hooks}`, sends: { headers: {}, body: 'plain' }, status: 200, body: 'text' },
      {
        request: `GET ${hooks}?kind=b`,
        sends: { headers: { 'x-id': '17' } },
        status: 404,
        shows: `The nearest stub, 1 ${hooks}, did not respond: /query/kind is \\"b\\", not \\"a\\".`,
        has: none,
      },
      {
        request: `GET ${hooks}`,
        sends: { headers: { 'x-token': 'secretive' } },
        status: 404,
        shows: 'The nearest stub',
      },
      { request: 'GET /rest/webhooks/1.0/webhok', status: 404, shows: 'the path is ' },
      { request: 'GET /elsewhere', status: 404, shows: '/elsewhere\\"."' },
    ],
  },
  {
    what: 'fills placeholders with parts of the request, escaped for JSON',
    stubs: [
      {
        path: '/rest/users/1.0/*',
        headers: { Location: '/users/${request.path.4}/${request.query.to}' },
        body: {
          name: '${request.path.4}',
          said: 'user ${request.query.name}!',
          '${request.query.name}': '${request.body.roles}',
          first: '${request.body.roles.0}',
          id: '${id}',
          trace: '${request.headers.x-id}',
          missing: '${request.body.none.at.all}',
        },
      },
      {
        path: '/text',
        headers: { 'Content-Type': 'application/json' },
        body: '{"q":"${request.query.q}","n":${request.body.n}}',
      },
    ],
    calls: [
      {
        request: 'POST /rest/users/1.0/al%20ice?name=%22b%22&to=%0D%0AX:%20%C3%A9',
        sends: { headers: { 'X-Id': '7"' }, body: '{"roles":["admin",2]}' },
        status: 200,
        body: {
          name: 'al ice',
          said: 'user "b"!',
          '"b"': ['admin', 2],
          first: 'admin',
          id: 1,
          trace: '7"',
          missing: '',
        },
        has: { location: '/users/al ice/%0D%0AX: %C3%A9' },
      },
      { request: 'GET /rest/users/1.0/bob', status: 200, shows: '"id":2' },
      {
        request: 'POST /text?q=%22%5C%0A',
        sends: { headers: {}, body: '{"n":{"a":1}}' },
        status: 200,
        body: { q: '"\\\n', n: { a: 1 } },
      },
    ],
  },
];

describeMatrix('stubs', rows);

describe('the stubs of a sandbox', () => {
  const fake = useFake();
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = fake.sandbox();
  });
  const refusalOf = (doing: Promise<unknown>) => doing.then(() => 'accepted', String);
  const statusOf = async (path = hooks) => (await sandbox.fetch(path)).status;

  it('are marked in the journal, and are no evidence', async () => {
    await sandbox.stubs.set([{ path: hooks, status: 299 }]);
    await sandbox.fetch(hooks);
    await sandbox.fetch('/nowhere');
    const [entry, ...others] = await sandbox.journal({ stub: true });
    expect(others).to.deep.equal([]);
    expect(entry).to.include({ id: 1, stub: `1 ${hooks}` });
    for (const part of ['operation', 'refused', 'fault', 'forwarded'] as const)
      expect(entry?.[part], part).to.equal(undefined);
    expect({ rules: entry?.rules, gaps: entry?.gaps, status: entry?.response.status }).to.deep.equal({
      rules: [],
      gaps: {},
      status: 299,
    });
    expect((await sandbox.journal({ unmatched: true })).map(({ id }) => id)).to.deep.equal([2]);
    expect((await sandbox.journal({ stub: false })).map(({ id }) => id)).to.deep.equal([2]);
  });

  it('leave the headers that they compare in the journal, without secrets, and what the nearest one lacked', async () => {
    await sandbox.stubs.set([
      { path: hooks, match: { headers: { 'X-Kind': 'a', 'X-Token': 'secretive' } }, body: '${request.headers.x-id}' },
    ]);
    const headers = { 'X-Kind': 'b', 'X-Token': 'also secretive', 'X-Id': '7', 'X-Other': '1' };
    await sandbox.fetch(hooks, { headers });
    await sandbox.fetch(hooks, { headers: { ...headers, 'X-Kind': 'a', 'X-Token': 'secretive' } });
    const [missed, met] = await sandbox.journal();
    expect(missed?.request.headers).to.include({ 'x-kind': 'b', 'x-token': 'hidden', 'x-id': '7' });
    expect(missed?.nearestStub).to.contain('/headers/x-kind is "b", not "a"').and.not.to.contain('secretive');
    expect(met).to.include({ stub: `1 ${hooks}`, nearestStub: undefined });
    expect(met?.response.body).to.equal('7');
  });

  it('answer below a context path of a sandbox in the path', async () => {
    await sandbox.stubs.set([{ path: '/plugins/servlet/x' }, { path: '/jira/nowhere/items' }]);
    expect(await statusOf('/jira/plugins/servlet/x')).to.equal(200);
    expect(await statusOf('/a/jira/plugins/servlet/x')).to.equal(404);
    expect(await statusOf('/jira/nowhere/items')).to.equal(200);
    expect(await statusOf('/wiki/nowhere/items')).to.equal(404);
  });

  it('count the requests that they matched and answered', async () => {
    const stub: Stub = { path: hooks, caller: 'anonymous', when: { every: 2 } };
    await sandbox.stubs.set([stub]);
    for (let i = 0; i < 3; i += 1) await sandbox.fetch(hooks);
    await sandbox.fetch(hooks, { headers: { Authorization: `Basic ${btoa('admin:admin')}` } });
    expect(await sandbox.stubs.list()).to.deep.equal([{ ...stub, matched: 3, fired: 1 }]);
  });

  it('follow resets, snapshots, rewinds and forks, and are replaced, appended and cleared', async () => {
    await sandbox.stubs.set([{ path: '/a', status: 201 }]);
    await sandbox.snapshot('before');
    const { version } = await sandbox.describe();
    await sandbox.stubs.set([{ path: '/b', status: 202 }], { append: true });
    const fork = await sandbox.fork();
    await sandbox.stubs.clear(1);
    expect(await statusOf('/a')).to.equal(404);
    expect(await statusOf('/b')).to.equal(202);
    expect((await fork.fetch('/a')).status).to.equal(201);
    expect(await refusalOf(sandbox.stubs.clear(9))).to.contain('This sandbox has no stub with the number 9.');
    await sandbox.restore('before');
    expect(await statusOf('/a')).to.equal(201);
    expect(await statusOf('/b')).to.equal(404);
    await sandbox.stubs.clear();
    expect(await statusOf('/a')).to.equal(404);
    await sandbox.rewind(version);
    expect(await statusOf('/a')).to.equal(201);
    await sandbox.reset();
    expect(await sandbox.stubs.list()).to.deep.equal([]);
  });

  const wrong: ReadonlyArray<readonly [stub: object, says: string]> = [
    [{ path: '/rest/cwx-ppf/latest/push' }, '/stubs/0/path: The fake itself responds to POST /rest/cwx-ppf/'],
    [{ method: 'GET', path: '/wiki/rest/cwx-ppf/latest/push' }, 'use a fault'],
    [{ path: '/rest/api/latest/myself' }, 'The fake itself responds to GET /rest/api/latest/myself'],
    [{ method: 'HEAD', path: '/~a/jira/rest/api/2/myself' }, 'use a fault'],
    [{ path: '/' }, 'with its front page'],
    [{ path: '/_fake/v1/ledger' }, 'The path is in the control API, which cannot have faults or stubs.'],
    [{ path: '/käse' }, 'write /k%C3%A4se.'],
    [{ path: '/x', method: 'get' }, '/stubs/0/method'],
    [{ path: '/x', status: 204, body: 1 }, '/stubs/0/body'],
    [{ path: '/x', effect: { status: 200 } }, 'effect'],
    [{ path: '/x', body: { a: '${request.boddy.x}' } }, '/stubs/0/body/a'],
    [{ path: '/x', headers: { A: '${nows}' } }, '(did you mean "now"?)'],
    [{ path: '/x', body: '${request.headers.authorization}' }, 'may be a secret'],
    [{ path: '/x', match: { body: { a: { $mtch: 'x' } } } }, '(did you mean "$match"?)'],
    [{ path: '/x', match: { query: { a: { $match: '(' } } } }, '/stubs/0/match/query/a/$match'],
    [{ path: '/x', match: { query: { a: 1 } } }, '/stubs/0/match/query/a'],
  ];
  it('are refused with the place and the reason if they are invalid', async () => {
    for (const [stub, says] of wrong)
      expect(await refusalOf(sandbox.stubs.set([stub as Stub])), JSON.stringify(stub)).to.contain(says);
  });

  it('answer at the paths of Confluence and Jira where the fake does not serve them', async () => {
    const folder = scratch({ 'own.yaml': 'title: a\nfixture: small-team\nstubs: [{ path: /rest/api/space }]\n' });
    const without = await createFake({ restApi: false, scenarios: folder.path, scenario: 'own' });
    const { stubs, faults, fetch } = without.sandbox('default');
    await stubs.set([{ path: '/rest/api/2/myself', body: { name: 'me' } }], { append: true });
    expect((await fetch('/rest/api/space')).status).to.equal(200);
    expect(await (await fetch('/jira/rest/api/latest/myself')).json()).to.deep.equal({ name: 'me' });
    expect(await refusalOf(stubs.set([{ path: '/rest/cwx-ppf/latest/push' }]))).to.contain('use a fault');
    const fault = { path: '/rest/api/2/myself', effect: { status: 200 } } as const;
    expect(await refusalOf(faults.set([fault]))).to.contain('use a stub');
    await without.stop();
    folder.drop();
  });

  it('are named where a fault would answer successfully although nothing is there', async () => {
    const says = await refusalOf(sandbox.faults.set([{ path: hooks, effect: { status: 200, body: [] } }]));
    expect(says).to.contain(
      `/faults/0/effect/status: The fake has no endpoint at ${hooks}. To return 200 at this path, use a stub (under \`stubs\`) instead of a fault.`,
    );
    await sandbox.faults.set([
      { path: hooks, effect: { status: 503 } },
      { path: '/rest/*/latest/push', effect: { status: 200 } },
      { path: '/rest/api/latest/myself', method: 'GET', effect: { status: 200 } },
    ]);
  });
});
