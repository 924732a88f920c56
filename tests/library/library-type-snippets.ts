// What the types of the library and of its client accept and reject: each snippet is a file of its own, compiled together with the others.
import { join } from 'node:path';
import { type Snippets, titledByThemselves } from '../support/files/snippets.js';
import { packageFolder } from '../support/processes/built.js';

const prelude = `
import { clientAt, createFake, providerStates, startFake, type Fault, type SandboxOptions } from ${JSON.stringify(join(packageFolder, 'server/index.js'))};
const fake = await createFake();
const sandbox = fake.sandbox();
const client = sandbox.client('admin');
const body = { group: 'customers', users: ['alice'] };
const names = { groups: ['customers'], users: ['alice'] };
const params = { pageId: '65601' };
const copy = {
  sourceSpaceKey: 'a', targetSpaceKey: 'b', targetSpaceTitle: 'c', targetSpaceAdmin: '', removeAdminPermissions: false,
};
const pushing = { users: ['alice'], filters: [10500] };
export const all = [clientAt, startFake, providerStates, client, body, names, params, copy, pushing];
export type All = [Fault, SandboxOptions];
`;

/** Snippets that must not compile, each with its error code and a word of the message. */
const wrong: Readonly<Record<string, string>> = {
  "client.groups.addUsers({ body: { group: 'a', users: [], more: 1 } })": 'TS2353 more',
  "client.groups.addUsers({ body: { group: 'a' } })": 'TS2741 users',
  "client.spaces.replaceInPage({ query: { spaceKey: 'a', pageTitle: 'b' }, body: [{ oldText: 'c' }] })":
    'TS2741 newText',
  "client.spaces.isUnique({ query: { spaceKey: 'a', spaceName: 'b' }, body })": 'TS2353 body',
  "client.call('groups.add-user', { body })": 'TS2345 groups.add-user',
  'client.groups.addUser({ body })': 'TS2551 addUsers',
  'client.permissions.editAdd({ body: names })': 'TS2345 params',
  'client.spaces.copy({ query: copy })': 'TS2741 keepPagesMetadata',
  "client.spaces.copy({ query: { ...copy, keepPagesMetadata: 'true' } })": 'TS2322 boolean',
  "client.groups.addUsers({ body, readings: { 'unknown-usr': '400' } })": 'TS2353 unknown-usr',
  "client.groups.addUsers({ body, readings: { 'unknown-user': '40' } })": 'TS2322 "40"',
  'client.ppf.push({ body: pushing }).then(response => response.body.success)': 'TS18046 unknown',
  'client.ppf.push({ body: pushing }).then(response => response.ok && response.body.mesages)': 'TS2551 messages',
  'client.groups.addUsers({ body }).then(response => response.ok && response.status === 201)': 'TS2367 201',
  'client.groups.addUsers({ body }).then(response => response.ok && response.body.success)': 'TS18048 response.body',
  'client.groups.addUsers({ body }).then(response => response.ok || response.message.length)': 'TS18048 message',
  "client.ppf.push({ body: pushing }).then(response => response.rules.push('a'))": 'TS2339 push',
  "clientAt('http://a', { user: 'a' })": 'TS2345 user',
  "clientAt('http://a', undefined, { wikiPrefix: '/rest' })": 'TS2322 /rest',
  "sandbox.journal({ operation: 'ppf.psh' })": 'TS2820 ppf.push',
  "sandbox.verify({ calller: 'alice' })": 'TS2353 calller',
  "sandbox.explain(1, { 'unknown-user': '405' })": 'TS2322 405',
  "fake.sandbox('a', { readings: { a: 'b' } })": "TS2353 'a'",
  "startFake({ scenaro: 'unlicensed' })": 'TS2561 scenario',
  'createFake({ port: 8080 })': 'TS2353 port',
  "fake.sandbox('a', { clok: '' })": 'TS2561 clock',
  'sandbox.patch({ group: { a: [] } })': 'TS2561 groups',
  "sandbox.patch({ licence: { ppf: 'vald' } })": 'TS2820 valid',
  "sandbox.faults.set([{ operation: 'ppf.psh', effect: {} }])": 'TS2820 ppf.push',
  "sandbox.faults.set([{ operation: 'ppf.push', effect: { hangup: true } }])": 'TS2561 hangUp',
  "sandbox.faults.set([{ path: '/a', phase: 'during', effect: {} }])": 'TS2322 during',
  "(async () => { for await (const { type } of sandbox.events()) if (type === 'entri') break; })()": 'TS2367 entri',
  'sandbox.client(1)': "TS2345 type '1'",
  "sandbox.world().then(world => world.groups.a?.push('b'))": 'TS2339 push',
  "sandbox.snapshot('a', { replce: true })": 'TS2561 replace',
  "sandbox.play('unlicensed', { step: 'first' })": 'TS2322 number',
  'sandbox.states.setUp()': 'TS2554 1-2',
  'sandbox.describe().then(description => { description.version = 7; })': 'TS2540 version',
  'providerStates(fake, { sandbox: 1 })': 'TS2322 number',
};

const right: Record<string, string> = {
  'each resource by its name': `Promise.all([
  client.groups.addUsers({ body }), client.permissions.viewRemove({ params, body: names }), client.ppf.push({ body: pushing }),
  client.spaces.copy({ query: { ...copy, keepPagesMetadata: true } }),
  client.spaces.replaceInPage({ query: { spaceKey: 'a', pageTitle: 'b' }, body: [{ oldText: 'c', newText: 'd' }] }),
])`,
  'an operation by its id': `client.call('permissions.all-remove', { params, body: names, headers: { 'X-More': '1' } })`,
  'readings of gaps': `client.groups.addUsers({ body, readings: { 'unknown-user': '400', 'context-path': '/wiki' } })`,
  'the body of a reply that is known to be ok': `client.ppf.push({ body: pushing }).then(response => {
  if (!response.ok) return response.message?.length ?? response.status;
  const status: 200 = response.status;
  const success: boolean = response.body.success;
  const messages: readonly string[] = response.body.messages;
  return [status, success, messages];
})`,
  'a reply narrowed by its status': `client.groups.addUsers({ body }).then(response => {
  if (!response.ok || response.status !== 204) return;
  const none: undefined = response.body;
  return none;
})`,
  'a reply narrowed by its body': `client.spaces.isUnique({ query: { spaceKey: 'a', spaceName: 'b' } }).then(response => {
  if (!response.ok || typeof response.body !== 'boolean') return;
  const free: boolean = response.body;
  return free;
})`,
  'what decided, of any response': `client.ppf.push({ body: pushing }).then(({ rules, gaps, headers, status }) => {
  const first: string | undefined = rules[0] ?? gaps['ppf-effect'] ?? headers['x-fake-fault'];
  const known: number = status;
  return [first, known];
})`,
  'callers of each kind': `[clientAt('http://a', { token: 'a' }, { wikiPrefix: '/cwxapiextension' }), clientAt('http://a', { user: 'a', password: 'b' })]`,
  'all options': `startFake({ scenario: 'unlicensed', readings: { 'unknown-user': '400', 'context-path': '/wiki' }, port: 0,
    host: 'localhost', fixtures: '.', scenarios: '.', journal: 1, maxSandboxes: 1, sandboxTtl: 1, createOnUse: false, control: true,
    controlToken: 'a', allowedHosts: ['a'], cors: ['http://localhost:3000'], maxBody: 1,
    requestTimeout: 1, headersTimeout: 0, maxConnections: 1, explain: false, log: 'silent' })`,
  'a sandbox with options': `fake.sandbox('a', { scenario: 'empty', readings: { 'no-change': '409' }, clock: '2026-01-05T09:00:00Z', seed: 7, ttl: 60 })`,
  'the ways back': `(async () => { const { name, version, at } = await sandbox.snapshot('a', { replace: true }); await sandbox.restore(name);
    await sandbox.rewind(version); const { patch, changes } = await sandbox.diff(0, 3); await sandbox.patch(patch);
    return [at, changes.map(change => change.type === 'rewound' && change.to), await sandbox.world({ at: 2 }), (await sandbox.fork('b', { at: 1 })).name]; })()`,
  'a clock': `(async () => [await sandbox.clock.set('2026-01-05T09:00:00Z', { running: true }), await sandbox.clock.advance('PT1H'),
    await sandbox.clock.advance(90), await sandbox.clock.freeze(), await sandbox.clock.run(), await sandbox.clock.now(), await sandbox.clock.running()])()`,
  'a patch': `sandbox.patch({ users: { a: null, b: { admin: true, token: null } }, groups: { a: ['b'] }, licence: { ppf: 'none' },
    pages: { 7: { space: 'ds', title: 'a', view: { users: ['b'] } } }, filters: { 8: { owner: 'b', sharedWith: 'everyone' } },
    dashboards: { 9: { sharedWith: { groups: ['a'] } } }, favourites: { b: { filters: [8] } }, spaces: { ds: null }, nextPageId: 9 })`,
  'a world': `sandbox.world().then(world => [world.groups.a?.map(name => name.length), world.users.a?.admin, world.licence.ppf === 'none'])`,
  'a journal': `sandbox.journal({ operation: 'ppf.push', status: 200, rule: 'ppf.push', gap: 'ppf-effect', since: 3 })
    .then(entries => entries.map(({ response, facts }) => [response.status, facts]))`,
  'a fault': `sandbox.faults.set([{ operation: 'ppf.push', when: { nth: 2 }, effect: { delay: [1, 2], status: 503 } }])`,
  'every part of a fault': `sandbox.faults.set([{ operation: 'ppf.push', path: '/a', caller: 'anonymous', when: { chance: 0.5, seed: 1 },
    times: 1, until: '2026-01-05T09:00:00Z', phase: 'after', effect: { delay: 1, status: 503, headers: { A: 'b' }, body: { c: [] },
    retryAfter: 1, truncateAt: 1, garble: true, dribble: { bytes: 1, every: 1 }, partial: { succeed: 1 } } }, { path: '/a', effect: { hangUp: true } }])`,
  'the listed faults': `sandbox.faults.list().then(faults => faults.map(({ matched, fired, effect, path }) => [matched + fired, effect.status, path]))`,
  'a fetch as clients take it': `((transport: typeof globalThis.fetch) => transport(fake.url))(fake.fetch)`,
  'the handlers of Pact': `((handlers: { [name: string]: (params?: any) => Promise<{ [key: string]: any } | void> }) => handlers)(
    providerStates(fake, { sandbox, onFailure: error => error.problems.map(({ pointer }) => pointer) }))`,
  'what is played': `sandbox.play('unlicensed').then(played => played.steps.every(({ outcome }) => outcome === 'passed'))`,
  'the states of a contract': `(async () => { const { user } = await sandbox.states.setUp('user exists', { name: 'bob' });
    await sandbox.states.tearDown(); return user; })()`,
  'the description of a sandbox': `sandbox.describe().then(({ name, version, readings, journal, ttl }) =>
    [name, version + journal.entries, readings['unknown-user'] === '400', ttl === undefined])`,
  'the description of a fake': `(async () => [(await fake.health()).store, (await fake.scenarios()).map(({ name, title }) => [name, title]),
    (await fake.states()).states.map(({ params, gives }) => [params.type, gives]), (await fake.sandboxes()).map(({ url }) => url),
    await fake.openapi(), await fake.controlOpenapi(), (await fake.ledger()).rules.map(({ evidence }) => evidence), (await fake.guide()).length,
    (await fake.metrics()).length])()`,
  'the end of a block': `(async () => { await using other = await createFake(); return other.url; })()`,
};

export const snippets: Snippets<string> = {
  right,
  wrong: titledByThemselves(wrong),
  source: snippet => `${prelude}export const it = ${snippet};\n`,
};
