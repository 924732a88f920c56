// What the typed client accepts and rejects: each snippet is a file of its own, compiled together with the others.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Snippets, titledByThemselves } from '../../support/files/snippets.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const prelude = `
import { clientFor } from ${JSON.stringify(join(root, 'server/library/client/client.js'))};
const client = clientFor(async () => ({ status: 200, headers: {}, text: '' }));
const body = { group: 'customers', users: ['alice'] };
const names = { groups: ['customers'], users: ['alice'] };
const params = { pageId: '65601' };
const copy = {
  sourceSpaceKey: 'a', targetSpaceKey: 'b', targetSpaceTitle: 'c', targetSpaceAdmin: '', removeAdminPermissions: false,
};
const pushing = { users: ['alice'], filters: [10500] };
export const all = [client, body, names, params, copy, pushing];
`;

/** Snippets that must not compile, each with its error code and a word of the message. */
const wrong: Readonly<Record<string, string>> = {
  "client.groups.addUsers({ body: { group: 'a', users: [], more: 1 } })": 'TS2353 more',
  "client.call('groups.add-users', { body: { group: 'a', user: [] } })": 'TS2561 users',
  "client.groups.addUsers({ body: { group: 'a' } })": 'TS2741 users',
  "client.groups.addUsers({ body: { group: 'a', users: 'b' } })": 'TS2322 string[]',
  "client.ppf.push({ body: { users: ['a'], filters: ['1'] } })": 'TS2322 number',
  "client.spaces.replaceInPage({ query: { spaceKey: 'a', pageTitle: 'b' }, body: [{ oldText: 'c' }] })":
    'TS2741 newText',
  'client.permissions.editAdd({ params })': 'TS2345 body',
  "client.spaces.isUnique({ query: { spaceKey: 'a', spaceName: 'b' }, body })": 'TS2353 body',
  'client.groups.addUsers()': 'TS2554 Expected 1',
  "client.call('groups.add-users')": 'TS2554 Expected 2',
  "client.call('groups.add-user', { body })": 'TS2345 groups.add-user',
  'client.groups.addUser({ body })': 'TS2551 addUsers',
  "client.groups['add-users']({ body })": 'TS2551 addUsers',
  'client.group.addUsers({ body })': 'TS2551 groups',
  "client.call('ppf.push', { body: { group: 'a', users: [] } })": 'TS2561 PushPullBody',
  'client.permissions.editAdd({ params: {}, body: names })': 'TS2741 pageId',
  'client.permissions.editAdd({ body: names })': 'TS2345 params',
  'client.permissions.editAdd({ params: { pageId: 65601 }, body: names })': 'TS2322 string',
  'client.groups.addUsers({ params, body })': 'TS2353 params',
  'client.spaces.copy({ query: copy })': 'TS2741 keepPagesMetadata',
  "client.spaces.copy({ query: { ...copy, keepPagesMetadata: 'true' } })": 'TS2322 boolean',
  "client.groups.addUsers({ body, readings: { 'unknown-usr': '400' } })": 'TS2353 unknown-usr',
  "client.groups.addUsers({ body, readings: { 'unknown-user': '40' } })": 'TS2322 "40"',
  "client.groups.addUsers({ body, readings: { 'unknown-user': 'invent' } })": 'TS2322 invent',
  'client.ppf.push({ body: pushing }).then(response => response.body.success)': 'TS18046 unknown',
  'client.ppf.push({ body: pushing }).then(response => response.ok || response.body.success)': 'TS18046 unknown',
  'client.ppf.push({ body: pushing }).then(response => response.ok && response.body.mesages)': 'TS2551 messages',
  'client.groups.addUsers({ body }).then(response => response.ok && response.status === 201)': 'TS2367 201',
  'client.groups.addUsers({ body }).then(response => response.ok && response.body.success)': 'TS18048 response.body',
  'client.groups.addUsers({ body }).then(response => response.ok && response.message)': 'TS2339 message',
  'client.groups.addUsers({ body }).then(response => response.ok || response.message.length)': 'TS18048 message',
  "client.ppf.push({ body: pushing }).then(response => response.rules.push('a'))": 'TS2339 push',
  "clientFor(async () => ({ status: 1, headers: {}, text: '' }), { user: 'a' })": 'TS2345 user',
  "clientFor(async () => ({ status: 1, headers: {}, text: '' }), undefined, { wikiPrefix: '/rest' })": 'TS2322 /rest',
};

const right: Record<string, string> = {
  'each resource by its name': `Promise.all([
  client.groups.addUsers({ body }), client.permissions.viewRemove({ params, body: names }), client.ppf.push({ body: pushing }),
  client.spaces.copy({ query: { ...copy, keepPagesMetadata: true } }),
  client.spaces.replaceInPage({ query: { spaceKey: 'a', pageTitle: 'b' }, body: [{ oldText: 'c', newText: 'd' }] }),
])`,
  'an operation by its id': `client.call('permissions.all-remove', { params, body: names, headers: { 'X-More': '1' } })`,
  'a body of which any field may be there': `client.ppf.pull({ body: { groups: ['customers'], dashboards: [11000] } })`,
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
  'callers of each kind': `[
  clientFor(async () => ({ status: 1, headers: {}, text: '' }), { token: 'a' }, { context: '/wiki', wikiPrefix: '/cwxapiextension' }),
  clientFor(async ({ method, path, headers, body }) => ({ status: 1, headers, text: method + path + String(body) }), { user: 'a', password: 'b' }),
]`,
};

export const snippets: Snippets<string> = {
  right,
  wrong: titledByThemselves(wrong),
  source: snippet => `${prelude}export const asked = ${snippet};\n`,
};
