// What the types of the library accept and reject: each snippet is a file of its own, compiled together with the others.
import { join } from 'node:path';
import { type Snippets, titledByThemselves } from '../support/files/snippets.js';
import { packageFolder } from '../support/processes/built.js';

const prelude = `
import { createFake, providerStates, startFake, type Fault, type SandboxOptions } from ${JSON.stringify(join(packageFolder, 'server/index.js'))};
const fake = await createFake();
const sandbox = fake.sandbox();
const client = sandbox.client('admin');
export const all = [startFake, providerStates, client];
export type All = [Fault, SandboxOptions];
`;

/** Snippets that must not compile, each with its error code and a word of the message. */
const wrong: Readonly<Record<string, string>> = {
  "client.groups.addUsers({ body: { group: 'a', users: 'b' } })": 'TS2322 string[]',
  "client.groups.addUsers({ body: { group: 'a', user: [] } })": 'TS2561 users',
  "client.groups.addUser({ body: { group: 'a', users: [] } })": 'TS2551 addUsers',
  "client.call('groups.add-user', { body: {} })": 'TS2345 groups.add-user',
  "sandbox.journal({ operation: 'ppf.psh' })": 'TS2820 ppf.push',
  "sandbox.verify({ operation: 'ppf.psh' })": 'TS2820 ppf.push',
  "sandbox.verify({ calller: 'alice' })": 'TS2353 calller',
  "sandbox.explain(1, { 'unknown-user': '405' })": 'TS2322 405',
  "createFake({ readings: { 'unknown-usr': '400' } })": 'TS2353 unknown-usr',
  "createFake({ readings: { 'unknown-user': '405' } })": 'TS2322 405',
  "sandbox.readings.set({ 'unknown-user': 'invent' })": 'TS2322 invent',
  "fake.sandbox('a', { readings: { a: 'b' } })": "TS2353 'a'",
  "startFake({ scenaro: 'unlicensed' })": 'TS2561 scenario',
  "startFake({ port: '8080' })": 'TS2322 number',
  'createFake({ port: 8080 })': 'TS2353 port',
  "fake.sandbox('a', { clok: '' })": 'TS2561 clock',
  'sandbox.patch({ group: { a: [] } })': 'TS2561 groups',
  'sandbox.patch({ users: { a: { admn: true } } })': 'TS2561 admin',
  "sandbox.patch({ groups: { a: 'b' } })": 'TS2322 string[]',
  "sandbox.patch({ licence: { ppf: 'vald' } })": 'TS2820 valid',
  "sandbox.faults.set([{ operation: 'ppf.psh', effect: {} }])": 'TS2820 ppf.push',
  'sandbox.faults.set([{ path: 7, effect: { status: 500 } }])': 'TS2322 string',
  "sandbox.faults.set([{ operation: 'ppf.push', effect: { hangup: true } }])": 'TS2561 hangUp',
  "sandbox.faults.set([{ operation: 'ppf.push', effect: { hangUp: false } }])": 'TS2322 true',
  "sandbox.faults.set([{ path: '/a', phase: 'during', effect: {} }])": 'TS2322 during',
  "(async () => { for await (const { type } of sandbox.events()) if (type === 'entri') break; })()": 'TS2367 entri',
  'sandbox.client(1)': "TS2345 type '1'",
  "sandbox.client({ password: 'a' })": 'TS2345 user',
  "sandbox.world().then(world => world.groups.a?.push('b'))": 'TS2339 push',
  "client.ppf.push({ body: { users: ['a'], filters: [1] } }).then(response => response.body.success)":
    'TS18046 unknown',
  "sandbox.snapshot('a', { replce: true })": 'TS2561 replace',
  "sandbox.rewind('3')": 'TS2345 number',
  "sandbox.world({ at: 'a' })": 'TS2322 number',
  'sandbox.clock.stop()': 'TS2339 stop',
  "sandbox.play('unlicensed', { step: 'first' })": 'TS2322 number',
  "sandbox.play('unlicensed', { setp: 1 })": 'TS2353 setp',
  'sandbox.faults.set([], { apend: true })': 'TS2561 append',
  "fake.sandbox('a', { ttl: '60' })": 'TS2322 number',
  'sandbox.states.setUp()': 'TS2554 1-2',
  'sandbox.describe().then(description => { description.version = 7; })': 'TS2540 version',
  'providerStates(fake, { sandbox: 1 })': 'TS2322 number',
};

const right: Record<string, string> = {
  'all options': `startFake({ scenario: 'unlicensed', readings: { 'unknown-user': '400', 'context-path': '/wiki' }, port: 0,
    host: 'localhost', fixtures: '.', scenarios: '.', journal: 1, maxSandboxes: 1, sandboxTtl: 1, createOnUse: false, control: true,
    controlToken: 'a', allowedHosts: ['a'], cors: ['http://localhost:3000'], maxBody: 1,
    requestTimeout: 1, headersTimeout: 0, maxConnections: 1, explain: false, log: 'silent' })`,
  'a control API that is open': `startFake({ control: 'open' })`,
  'a sandbox with options': `fake.sandbox('a', { scenario: 'empty', readings: { 'no-change': '409' }, clock: '2026-01-05T09:00:00Z', seed: 7, ttl: 60 })`,
  'the ways back': `(async () => { const { name, version, at } = await sandbox.snapshot('a', { replace: true }); await sandbox.restore(name);
    await sandbox.rewind(version); const { patch, changes } = await sandbox.diff(0, 3); await sandbox.patch(patch);
    return [at, changes.map(change => change.type === 'rewound' && change.to), await sandbox.world({ at: 2 }), (await sandbox.fork('b', { at: 1 })).name]; })()`,
  'a clock': `(async () => [await sandbox.clock.set('2026-01-05T09:00:00Z', { running: true }), await sandbox.clock.advance('PT1H'),
    await sandbox.clock.advance(90), await sandbox.clock.freeze(), await sandbox.clock.run(), await sandbox.clock.now(), await sandbox.clock.running()])()`,
  'every caller': `[sandbox.client(), sandbox.client('a'), sandbox.client({ user: 'a', password: 'b' }), sandbox.client({ token: 'c' })]`,
  'a patch': `sandbox.patch({ users: { a: null, b: { admin: true, token: null } }, groups: { a: ['b'] }, licence: { ppf: 'none' },
    pages: { 7: { space: 'ds', title: 'a', view: { users: ['b'] } } }, filters: { 8: { owner: 'b', sharedWith: 'everyone' } },
    dashboards: { 9: { sharedWith: { groups: ['a'] } } }, favourites: { b: { filters: [8] } }, spaces: { ds: null }, nextPageId: 9 })`,
  'a world': `sandbox.world().then(world => [world.groups.a?.map(name => name.length), world.users.a?.admin, world.licence.ppf === 'none'])`,
  'readings, one by one': `sandbox.readings.get().then(readings => readings['unknown-user'] === '400')`,
  'a reply by its status': `client.ppf.push({ body: { users: ['a'], filters: [1] } }).then(response => response.ok ? response.body.success : response.message)`,
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
  'one step that is played': `sandbox.play('unlicensed', { step: 2 }).then(({ steps: [played] }) => played?.status)`,
  'faults besides others': `sandbox.faults.set([{ path: '/a', effect: { hangUp: true } }], { append: true })`,
  'the states of a contract': `(async () => { const { user } = await sandbox.states.setUp('user exists', { name: 'bob' });
    await sandbox.states.tearDown(); return user; })()`,
  'the description of a sandbox': `sandbox.describe().then(({ name, version, readings, journal, ttl }) =>
    [name, version + journal.entries, readings['unknown-user'] === '400', ttl === undefined])`,
  'a journal that is forgotten': `sandbox.clearJournal().then(() => sandbox.journal())`,
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
