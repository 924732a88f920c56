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
    what: "answers instead of 501 and 405 where Jira's and Confluence's resources are not served",
    stubs: [
      { path: '/rest/api/latest/issue/*', body: { key: 'A-1' } },
      { method: 'PATCH', path: '/rest/api/content/*', status: 202 },
    ],
    calls: [
      { request: 'GET /rest/api/2/issue/A-1', status: 200, body: { key: 'A-1' } },
      { request: 'GET /rest/api/latest/issue/A-1', status: 200, body: { key: 'A-1' } },
      { request: 'GET /rest/api/2/issue/A-1/comment', status: 501, has: none },
      { request: 'PATCH /rest/api/content/1', status: 202 },
    ],
  },
  {
    what: 'answers at paths of no API',
    stubs: [{ path: '/plugins/servlet/x', body: 'mine' }, { path: '/login.jsp' }],
    calls: [
      { request: 'GET /plugins/servlet/x', status: 200, body: 'mine' },
      { request: 'GET /login.jsp', status: 200 },
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

  const wrong: ReadonlyArray<readonly [what: string, stub: object, says: string]> = [
    [
      'an operation',
      { path: '/rest/cwx-ppf/latest/push' },
      '/stubs/0/path: The fake itself responds to POST /rest/cwx-ppf/',
    ],
    ['an operation by another method', { method: 'GET', path: '/wiki/rest/cwx-ppf/latest/push' }, 'use a fault'],
    ['a resource', { path: '/rest/api/latest/myself' }, 'The fake itself responds to GET /rest/api/latest/myself'],
    ['a resource with HEAD', { method: 'HEAD', path: '/~a/jira/rest/api/2/myself' }, 'use a fault'],
    ['the front page', { path: '/' }, 'with its front page'],
    [
      'the control API',
      { path: '/_fake/v1/ledger' },
      'The path is in the control API, which cannot have faults or stubs.',
    ],
    ['no path', { body: 1 }, 'path'],
    ['a path with a query', { path: '/x?y' }, 'A path cannot contain a query: it matches requests with any query.'],
    ['a path that is not encoded', { path: '/käse' }, 'write /k%C3%A4se.'],
    ['a method in lower case', { path: '/x', method: 'get' }, '/stubs/0/method'],
    ['a body where there is none', { path: '/x', status: 204, body: 1 }, '/stubs/0/body'],
    ['an invalid header', { path: '/x', headers: { 'a b': 'c' } }, '/stubs/0/headers/a b'],
    ['a range of delays the wrong way round', { path: '/x', delay: [2, 1] }, '/stubs/0/delay'],
    ['an unknown caller', { path: '/x', caller: 'alise' }, '(did you mean "alice"?)'],
    ['an effect', { path: '/x', effect: { status: 200 } }, 'effect'],
  ];
  for (const [what, stub, says] of wrong)
    it(`refuse ${what}`, async () => {
      expect(await refusalOf(sandbox.stubs.set([stub as Stub]))).to.contain(says);
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
