// What the typed client accepts and rejects: each snippet is a file of its own, compiled together with the others.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Snippets } from '../../support/files/snippets.js';

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
const wrong: Record<string, [snippet: string, code: string, says: string]> = {
  'a field that the body does not have': [
    `client.groups.addUsers({ body: { group: 'a', users: [], more: 1 } })`,
    'TS2353',
    'more',
  ],
  'a misspelt field': [`client.call('groups.add-users', { body: { group: 'a', user: [] } })`, 'TS2561', 'users'],
  'a body that lacks a field': [`client.groups.addUsers({ body: { group: 'a' } })`, 'TS2741', 'users'],
  'a field of another type': [`client.groups.addUsers({ body: { group: 'a', users: 'b' } })`, 'TS2322', 'string[]'],
  'a list of another type': [`client.ppf.push({ body: { users: ['a'], filters: ['1'] } })`, 'TS2322', 'number'],
  'an element that lacks a field': [
    `client.spaces.replaceInPage({ query: { spaceKey: 'a', pageTitle: 'b' }, body: [{ oldText: 'c' }] })`,
    'TS2741',
    'newText',
  ],
  'a call without the body': [`client.permissions.editAdd({ params })`, 'TS2345', 'body'],
  'a body where none is read': [
    `client.spaces.isUnique({ query: { spaceKey: 'a', spaceName: 'b' }, body })`,
    'TS2353',
    'body',
  ],
  'a call without anything': [`client.groups.addUsers()`, 'TS2554', 'Expected 1'],
  'a call by id without anything': [`client.call('groups.add-users')`, 'TS2554', 'Expected 2'],
  'a misspelt operation': [`client.call('groups.add-user', { body })`, 'TS2345', 'groups.add-user'],
  'a misspelt method': [`client.groups.addUser({ body })`, 'TS2551', 'addUsers'],
  'a method by the name of its id': [`client.groups['add-users']({ body })`, 'TS2551', 'addUsers'],
  'a misspelt resource': [`client.group.addUsers({ body })`, 'TS2551', 'groups'],
  'the body of another operation': [
    `client.call('ppf.push', { body: { group: 'a', users: [] } })`,
    'TS2561',
    'PushPullBody',
  ],
  'a missing path parameter': [`client.permissions.editAdd({ params: {}, body: names })`, 'TS2741', 'pageId'],
  'no path parameters': [`client.permissions.editAdd({ body: names })`, 'TS2345', 'params'],
  'a path parameter of another type': [
    `client.permissions.editAdd({ params: { pageId: 65601 }, body: names })`,
    'TS2322',
    'string',
  ],
  'path parameters on a path without any': [`client.groups.addUsers({ params, body })`, 'TS2353', 'params'],
  'a missing query parameter': [`client.spaces.copy({ query: copy })`, 'TS2741', 'keepPagesMetadata'],
  'text for a boolean of the query': [
    `client.spaces.copy({ query: { ...copy, keepPagesMetadata: 'true' } })`,
    'TS2322',
    'boolean',
  ],
  'an unknown gap': [`client.groups.addUsers({ body, readings: { 'unknown-usr': '400' } })`, 'TS2353', 'unknown-usr'],
  'an unknown reading': [`client.groups.addUsers({ body, readings: { 'unknown-user': '40' } })`, 'TS2322', '"40"'],
  'a reading of another gap': [
    `client.groups.addUsers({ body, readings: { 'unknown-user': 'create' } })`,
    'TS2322',
    'create',
  ],
  'the body of a response before it is known to be ok': [
    `client.ppf.push({ body: pushing }).then(response => response.body.success)`,
    'TS18046',
    'unknown',
  ],
  'the body of a response that is not ok': [
    `client.ppf.push({ body: pushing }).then(response => response.ok || response.body.success)`,
    'TS18046',
    'unknown',
  ],
  'a field that the reply does not have': [
    `client.ppf.push({ body: pushing }).then(response => response.ok && response.body.mesages)`,
    'TS2551',
    'messages',
  ],
  'a status that no reply has': [
    `client.groups.addUsers({ body }).then(response => response.ok && response.status === 201)`,
    'TS2367',
    '201',
  ],
  'a field of a reply that may have no body': [
    `client.groups.addUsers({ body }).then(response => response.ok && response.body.success)`,
    'TS18048',
    'response.body',
  ],
  'the message of a response that is ok': [
    `client.groups.addUsers({ body }).then(response => response.ok && response.message)`,
    'TS2339',
    'message',
  ],
  'the message of a refusal as if there were always one': [
    `client.groups.addUsers({ body }).then(response => response.ok || response.message.length)`,
    'TS18048',
    'message',
  ],
  'to write into a response': [
    `client.ppf.push({ body: pushing }).then(response => response.rules.push('a'))`,
    'TS2339',
    'push',
  ],
  'a caller without a password': [
    `clientFor(async () => ({ status: 1, headers: {}, text: '' }), { user: 'a' })`,
    'TS2345',
    'user',
  ],
  'an unknown prefix': [
    `clientFor(async () => ({ status: 1, headers: {}, text: '' }), undefined, { wikiPrefix: '/rest' })`,
    'TS2322',
    '/rest',
  ],
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
  wrong,
  source: snippet => `${prelude}export const asked = ${snippet};\n`,
};
