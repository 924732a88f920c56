// Each operation with the largest input that it accepts, or refuses only after a look at all of it.
import { type Asked, filling, longText, PPF, post, type Stall, WIKI } from './asked.js';

const user = (i: number) => `user${i + 1}`;
const users = filling(user);
const nobody = filling(i => `nobody${i}`);
const page = { spaceKey: 'long', pageTitle: 'Long' };
const inLong = `${WIKI}/spaces/replaceInPage?${new URLSearchParams(page)}`;
const hostile = `${'a'.repeat(250_000)}b${'a'.repeat(250_000)}`;
const filters = (many: number) => Array.from({ length: many }, (_, i) => 100_001 + i);

const stall = (name: string, asked: Asked, before: readonly Asked[] = [], world = 'bench-large'): Stall => ({
  name,
  world,
  before,
  asked,
});
const group = (verb: string, names: readonly string[], to = 'group2') =>
  post(`${WIKI}/groups/${verb}-users`, { group: to, users: names });
const pushed = transfer('push', { groups: ['all-users'], filters: filters(1) });
const permission = (method: string, which: string, names: readonly string[]): Asked => ({
  method,
  path: `${WIKI}/permissions/${which}/1000001`,
  body: { groups: [], users: names },
});

export const operationStalls: readonly Stall[] = [
  stall('add-users: as many as fit', group('add', users)),
  stall('add-users: of whom nobody exists', group('add', nobody)),
  stall(
    'add-users: 10,000 unknown fields',
    post(`${WIKI}/groups/add-users`, Object.fromEntries(filling(i => [`k${i}`, i]))),
  ),
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
    const before = verb === 'push' ? [] : [pushed];
    return [
      stall(
        `${verb}: 1 filter, 100,000 users of a group`,
        transfer(verb, { groups: ['all-users'], filters: filters(1) }),
        before,
      ),
      stall(
        `${verb}: 316 filters, 316 users`,
        transfer(verb, { users: users.slice(0, 316), filters: filters(316) }),
        verb === 'push' ? [] : [transfer('push', { users: users.slice(0, 316), filters: filters(316) })],
      ),
      stall(`${verb}: as many unknown users as fit`, transfer(verb, { users: nobody, filters: filters(1) })),
      stall(
        `${verb}: as many unknown filters as fit`,
        transfer(verb, { users: ['user1'], filters: filling(i => i, 300) }),
      ),
      stall(
        `${verb}: 1 filter, 100,000 users, ppf-no-change=message`,
        {
          ...transfer(verb, { groups: ['all-users'], filters: filters(1) }),
          headers: { 'X-Fake-Reading': 'ppf-no-change=message' },
        },
        verb === 'push' ? [pushed] : [],
      ),
    ];
  }),
  stall(
    'push: a filter that nobody may see, 100,000 users',
    transfer('push', { groups: ['all-users'], filters: [1] }),
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

function shortPage(): string {
  return `${WIKI}/spaces/replaceInPage?${new URLSearchParams({ spaceKey: 'own', pageTitle: 'Own' })}`;
}
