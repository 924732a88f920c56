// Each operation with the largest input that it accepts, or refuses only after a look at all of it.
import { type Asked, BODY, filling, longText, PPF, post, type Stall, WIKI } from './asked.js';

const user = (i: number) => `user${i + 1}`;
const users = filling(user);
const nobody = filling(i => `nobody${i}`);
const page = { spaceKey: 'long', pageTitle: 'Long' };
const inLong = `${WIKI}/spaces/replaceInPage?${new URLSearchParams(page)}`;
const hostile = `${'a'.repeat(250_000)}b${'a'.repeat(250_000)}`;
const filters = (many: number, from = 100_001) => Array.from({ length: many }, (_, i) => from + i);

const stall = (name: string, asked: Asked, before: readonly Asked[] = [], world = 'bench-large'): Stall => ({
  name,
  world,
  before,
  asked,
});
const group = (verb: string, names: readonly string[], to = 'group2') =>
  post(`${WIKI}/groups/${verb}-users`, { group: to, users: names });
const permission = (method: string, which: string, names: readonly string[]): Asked => ({
  method,
  path: `${WIKI}/permissions/${which}/1000001`,
  body: { groups: [], users: names },
});

export const operationStalls: readonly Stall[] = [
  stall('add-users: as many as fit', group('add', users)),
  stall('add-users: of whom nobody exists', group('add', nobody)),
  stall('add-users: a million fields', post(`${WIKI}/groups/add-users`, `{${fields()}}`)),
  stall('add-users: half a million elements that are no text', post(`${WIKI}/groups/add-users`, numbers())),
  stall('add-users: nested as deep as fits', post(`${WIKI}/groups/add-users`, deep())),
  stall('remove-users: as many as fit', group('remove', users, 'all-users')),
  stall('set-users: as many as fit', group('set', users)),
  stall('edit-add: as many users as fit', permission('PUT', 'edit', users)),
  stall('view-add: as many users as fit', permission('PUT', 'view', users)),
  stall('edit-remove: as many users as fit', permission('DELETE', 'edit', users), [permission('PUT', 'edit', users)]),
  stall('view-remove: as many users as fit', permission('DELETE', 'view', users), [permission('PUT', 'view', users)]),
  stall('all-remove: as many users as fit', permission('DELETE', 'all', users), [
    permission('PUT', 'view', users),
    permission('PUT', 'edit', users),
  ]),
  stall(
    'add-sidebar-link: the longest label',
    post(`${WIKI}/spaces/add-sidebar-link`, { spaceKey: 'space1', label: longText('x'), url: 'http://x' }),
  ),
  stall('copySpace: a space of 100,000 pages', copy(), [], 'bench-one-space'),
  stall('copySpace: as many pages as are copied', copy(), [], 'bench-copied-space'),
  stall(
    'isUnique: the longest names',
    post(`${WIKI}/spaces/isUnique?spaceKey=${'x'.repeat(7_000)}&spaceName=${'x'.repeat(7_000)}`),
  ),
  stall('isUnique: a query of thousands of parameters', post(`${WIKI}/spaces/isUnique?${'a&'.repeat(7_500)}`)),
  stall(
    'isUnique: a query of thousands of names',
    post(`${WIKI}/spaces/isUnique?${Array.from({ length: 2_500 }, (_, i) => `b${i}&`).join('')}`),
  ),
  stall('isUnique: an address that is none', post(`/rest${'/x'.repeat(7_000)}`)),
  stall('replaceInPage: 1 MiB, a hostile text', post(inLong, [{ oldText: hostile, newText: 'c' }]), [], 'bench-long'),
  stall(
    'replaceInPage: 1 MiB, a list of hostile texts',
    post(
      inLong,
      Array.from({ length: 30 }, (_, i) => ({
        oldText: `${hostile.slice(i, i + 15_000)}b${'a'.repeat(15_000)}`,
        newText: 'c',
      })),
    ),
    [],
    'bench-long',
  ),
  stall(
    'replaceInPage: 1 MiB, the longest list',
    post(
      inLong,
      filling(() => ({ oldText: 'b', newText: '' })),
    ),
    [],
    'bench-long',
  ),
  stall(
    'replaceInPage: 1 MiB, the longest list of places',
    post(
      inLong,
      filling(i => ({ oldText: `${'a'.repeat(i % 100)}a`, newText: 'a' })),
    ),
    [],
    'bench-long',
  ),
  stall(
    'replaceInPage: a short page, the longest list',
    post(
      shortPage(),
      filling(i => ({ oldText: `N${i}`, newText: '' })),
    ),
  ),
  stall(
    'replaceInPage: many places',
    post(inLong, [
      { oldText: 'a'.repeat(40), newText: 'b' },
      { oldText: 'b', newText: 'cc' },
    ]),
    [],
    'bench-long',
  ),
  ...(['push', 'pull'] as const).flatMap(verb => {
    const before = verb === 'push' ? [] : [pushed(20)];
    return [
      stall(
        `${verb}: 20 filters, 100,000 users of a group`,
        transfer(verb, { groups: ['all-users'], filters: filters(20) }),
        before,
      ),
      stall(
        `${verb}: 1 filter, 100,000 users of a group`,
        transfer(verb, { groups: ['all-users'], filters: filters(1) }),
        before,
      ),
      stall(
        `${verb}: 1,400 filters, 1,400 users`,
        transfer(verb, { users: users.slice(0, 1_400), filters: filters(1_400) }),
        verb === 'push' ? [] : [transfer('push', { users: users.slice(0, 1_400), filters: filters(1_400) })],
      ),
      stall(`${verb}: as many unknown users as fit`, transfer(verb, { users: nobody, filters: filters(1) })),
      stall(
        `${verb}: as many unknown filters as fit`,
        transfer(verb, { users: ['user1'], filters: filling(i => i, 300) }),
      ),
      stall(
        `${verb}: 20 filters, 100,000 users, ppf-no-change=message`,
        {
          ...transfer(verb, { groups: ['all-users'], filters: filters(20) }),
          headers: { 'X-Fake-Reading': 'ppf-no-change=message' },
        },
        verb === 'push' ? [pushed(20)] : [],
      ),
    ];
  }),
  stall(
    'push: 20 filters that nobody may see, 100,000 users',
    transfer('push', { groups: ['all-users'], filters: filters(20, 1) }),
    [],
    'bench-hidden',
  ),
];

function copy(): Asked {
  const query = new URLSearchParams({
    sourceSpaceKey: 'space1',
    targetSpaceKey: 'copy',
    targetSpaceTitle: 'Copy',
    targetSpaceAdmin: 'user1',
    removeAdminPermissions: 'false',
    keepPagesMetadata: 'false',
  });
  return post(`${WIKI}/spaces/copySpace?${query}`);
}

function transfer(verb: 'push' | 'pull', body: object): Asked {
  return post(`${PPF}/${verb}`, body);
}

function pushed(many: number): Asked {
  return transfer('push', { groups: ['all-users'], filters: filters(many) });
}

function shortPage(): string {
  return `${WIKI}/spaces/replaceInPage?${new URLSearchParams({ spaceKey: 'own', pageTitle: 'Own' })}`;
}

function fields(): string {
  return filling(i => `k${i}`, 100_000)
    .map((key, i) => `"${key}":${i % 10}`)
    .join()
    .slice(0, BODY - 10)
    .replace(/,[^,]*$/, '');
}

function numbers(): string {
  return `{"group":"group2","users":[${'1,'.repeat(BODY / 2 - 100)}1]}`;
}

function deep(): string {
  return '['.repeat(BODY / 2 - 10) + ']'.repeat(BODY / 2 - 10);
}
