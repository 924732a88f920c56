// Each action of the control API with the largest input that it accepts, on the largest worlds and journals that requests make.
import { type Asked, BODY, filling, longText, PPF, post, SANDBOX, type Stall, WIKI } from './asked.js';

const get = (path: string): Asked => ({ method: 'GET', path });
const put = (path: string, body: unknown): Asked => ({ method: 'PUT', path, body });
const patch = (body: unknown): Asked => ({ method: 'PATCH', path: `${SANDBOX}/world`, body });

/** 14 requests that fill a journal to its bound, each as large as a body may be. */
const largeEntries = Array.from({ length: 14 }, () =>
  post(`${PPF}/push`, { users: ['user1'], filters: [1], x: longText('a', 1_000) }),
);
const listEntries = Array.from({ length: 7 }, () =>
  post(`${PPF}/push`, { users: ['user1'], filters: [1], x: filling(i => i % 10) }),
);
const objectEntries = Array.from({ length: 14 }, () =>
  post(`${PPF}/push`, { users: ['user1'], filters: [1], x: filling(i => ({ a: i, b: { c: i } })) }),
);
const deepEntries = Array.from({ length: 14 }, () =>
  post(`${PPF}/push`, { users: ['user1'], filters: [1], x: nested(400) }),
);
const smallEntries = Array.from({ length: 1_000 }, (_, i) =>
  post(`${WIKI}/spaces/isUnique?spaceKey=k${i}&spaceName=${'n'.repeat(100)}`),
);
const factEntries = [post(`${PPF}/push`, { groups: ['all-users'], filters: [100_001] })];

const stall = (name: string, asked: Asked, before: readonly Asked[] = [], world = 'bench-small'): Stall => ({
  name,
  world,
  before,
  asked,
});
const onLarge = (name: string, asked: Asked, before: readonly Asked[] = []) =>
  stall(name, asked, before, 'bench-large');
const verify = (body: unknown) => post(`${SANDBOX}/journal/verify`, body);
const fault = (i: number) => ({ operation: 'ppf.push', caller: `c${i}`, effect: { status: 500 } });
const hostile = `${'a'.repeat(150_000)}b${'a'.repeat(150_000)}`;

const worlds: readonly Stall[] = [
  onLarge('GET world of 100,000 users and pages', get(`${SANDBOX}/world`)),
  stall('GET world of one page of 1 MiB', get(`${SANDBOX}/world`), [], 'bench-long'),
  onLarge('PATCH world: as many users as fit', patch({ users: record(i => [`new${i}`, {}]) })),
  onLarge('PATCH world: as many unknown members as fit', patch({ groups: { group2: filling(i => `nobody${i}`) } })),
  onLarge('PATCH world: a page in 100,000', patch({ pages: { '1000001': { title: 'New' } } })),
  onLarge(
    'PATCH world: as many pages as fit',
    patch({ pages: record(i => [String(5_000_000 + i), { space: 'own', title: `T${i}` }]) }),
  ),
  onLarge(
    'PATCH world: pages with one title',
    patch({ pages: record(i => [String(5_000_000 + i), { space: 'own', title: 'T' }]) }),
  ),
  onLarge('PATCH world: takes one user away', patch({ users: { user77: null } })),
  onLarge('PATCH world: takes away as many users as fit', patch({ users: record(i => [`user${i + 1}`, null]) })),
  onLarge('PATCH world: takes away who is not there', patch({ users: record(i => [`nobody${i}`, null]) })),
  onLarge(
    'PATCH world: as many favourites as fit',
    patch({ favourites: record(i => [`user${i + 1}`, { filters: [100_001] }]) }),
  ),
  onLarge('PATCH world: as many unknown fields as fit', patch(record(i => [`f${i}`, i]))),
  onLarge('PATCH world: users with unknown fields', patch({ users: { user1: record(i => [`f${i}`, i]) } })),
  onLarge(
    'PATCH world: a sidebar as long as fits',
    patch({ spaces: { own: { sidebar: filling(() => ({ label: 'l', url: 'u' })) } } }),
  ),
  onLarge('PATCH world: nested 500 deep', patch(nested(490))),
  onLarge('PATCH world: a token', patch({ users: { user5: { token: 'secret-of-5' } } })),
];

const sandboxes: readonly Stall[] = [
  stall(
    'POST sandboxes: a recipe as large as it may be',
    post('/_fake/v1/sandboxes', { name: 'r', scenario: 'bench-recipe' }),
  ),
  stall('POST sandboxes: the fixture large', post('/_fake/v1/sandboxes', { name: 'r', scenario: 'large' })),
  stall(
    'POST sandboxes: a fixture with a page of 1 MB',
    post('/_fake/v1/sandboxes', { name: 'r', scenario: 'bench-long' }),
  ),
  stall('POST sandboxes: a fixture of many lines', post('/_fake/v1/sandboxes', { name: 'r', scenario: 'bench-lines' })),
  stall('POST sandboxes: a long name of a scenario', post('/_fake/v1/sandboxes', { scenario: longText('x') })),
  stall(
    'POST sandboxes: as many readings as fit',
    post('/_fake/v1/sandboxes', { readings: record(i => [`gap${i}`, 'x']) }),
  ),
  onLarge('PUT sandboxes/s', put(SANDBOX, { scenario: 'bench-large' })),
  onLarge('reset', post(`${SANDBOX}/reset`)),
  onLarge('fork', post(`${SANDBOX}/fork`, { name: 'f' })),
  onLarge('DELETE sandboxes/s', { method: 'DELETE', path: SANDBOX }),
  stall(
    'GET sandboxes: a thousand',
    get('/_fake/v1/sandboxes'),
    Array.from({ length: 1_000 }, (_, i) => post('/_fake/v1/sandboxes', { name: `n${i}` })),
  ),
  stall('GET scenarios', get('/_fake/v1/scenarios')),
];

const journals: readonly Stall[] = [
  stall('GET journal of 14 MiB', get(`${SANDBOX}/journal`), largeEntries),
  stall('GET journal of 7 MiB of lists', get(`${SANDBOX}/journal`), listEntries),
  stall('GET journal of 1,000 entries', get(`${SANDBOX}/journal`), smallEntries),
  onLarge('GET journal with a push to 100,000 users', get(`${SANDBOX}/journal`), factEntries),
  onLarge('GET journal with names of 1 MiB', get(`${SANDBOX}/journal`), [
    post(`${WIKI}/groups/add-users`, { group: 'group2', users: filling(i => `User${i}`) }),
  ]),
  stall('GET recording of 14 MiB', get(`${SANDBOX}/recording`), largeEntries),
  onLarge('GET diff', get(`${SANDBOX}/diff?from=0`), [patch({ users: record(i => [`new${i}`, {}]) }), ...factEntries]),
  onLarge('rewind', post(`${SANDBOX}/rewind`, { to: 0 }), factEntries),
  onLarge('snapshot', post(`${SANDBOX}/snapshots`, { name: 'n' })),
  onLarge('restore', post(`${SANDBOX}/snapshots/n/restore`), [
    post(`${SANDBOX}/snapshots`, { name: 'n' }),
    ...factEntries,
  ]),
  onLarge('explain a push to 100,000 users', post(`${SANDBOX}/explain`, { entry: 1 }), factEntries),
  onLarge('explain add-users of 1 MiB', post(`${SANDBOX}/explain`, { entry: 1 }), [
    post(`${WIKI}/groups/add-users`, { group: 'group2', users: filling(i => `user${i + 1}`) }),
  ]),
  stall(
    'explain replaceInPage on 1 MiB',
    post(`${SANDBOX}/explain`, { entry: 1 }),
    [
      post(`${WIKI}/spaces/replaceInPage?spaceKey=long&pageTitle=Long`, [
        { oldText: hostile, newText: 'c' },
        { oldText: 'a'.repeat(40), newText: 'b' },
        { oldText: 'b', newText: 'cc' },
      ]),
    ],
    'bench-long',
  ),
  stall('DELETE journal', { method: 'DELETE', path: `${SANDBOX}/journal` }, largeEntries),
];

const verifications: readonly Stall[] = [
  stall(
    'verify: a hostile text in 14 MiB',
    verify({ body: { $contains: { x: { $contains: hostile } } } }),
    largeEntries,
  ),
  stall('verify: a pattern on 14 MiB', verify({ body: { $contains: { x: { $match: '(?:.*a){5}b' } } } }), largeEntries),
  stall(
    'verify: 50 patterns',
    verify({
      body: {
        $contains: { x: { $contains: Array.from({ length: 50 }, (_, i) => ({ $match: `(?:a|ab|ba){${300 + i}}c` })) } },
      },
    }),
    listEntries,
  ),
  stall(
    'verify: 200 objects in large objects',
    verify({
      body: { $contains: { x: { $contains: Array.from({ length: 200 }, (_, i) => ({ a: -i, b: { c: i } })) } } },
    }),
    objectEntries,
  ),
  stall(
    'verify: a list of 1 MiB',
    verify({ body: { users: ['user1'], filters: [1], x: filling(i => i % 7) } }),
    listEntries,
  ),
  stall('verify: an object of 1 MiB', verify({ body: record(i => [`k${i}`, i]) }), objectEntries),
  stall(
    'verify: objects of 1 MiB',
    verify({ body: { users: ['user1'], filters: [1], x: filling(i => ({ a: i, b: { c: 0 } })) } }),
    objectEntries,
  ),
  stall(
    'verify: an order of 100',
    verify({
      inOrder: Array.from({ length: 100 }, () => ({
        operation: 'ppf.push',
        body: { $contains: { users: ['user2'] } },
      })),
    }),
    objectEntries,
  ),
  stall('verify: deep in deep', verify({ body: nested(490) }), deepEntries),
  stall('verify: 1 MiB of matchers', verify({ body: filling(() => ({ $any: 'text' })) }), smallEntries),
  stall(
    'verify: 1,000 matchers on 1,000 entries',
    verify({ query: Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`q${i}`, { $any: 'string' }])) }),
    smallEntries,
  ),
  onLarge('verify: an unknown caller among 100,000', verify({ caller: 'nobodyy' })),
  stall('verify: a long path', verify({ path: `/${longText('x/')}` }), smallEntries),
  stall('verify: unknown fields', verify(record(i => [`f${i}`, i]))),
];

const others: readonly Stall[] = [
  onLarge('PUT faults: 1,000', put(`${SANDBOX}/faults`, { faults: Array.from({ length: 1_000 }, () => fault(1)) })),
  onLarge(
    'PUT faults: as many as fit',
    put(`${SANDBOX}/faults`, { faults: filling(() => ({ operation: 'ppf.push', effect: { status: 500 } })) }),
  ),
  onLarge('PUT faults: callers who are unknown', put(`${SANDBOX}/faults`, { faults: filling(fault) })),
  onLarge(
    'PUT faults: one with a body of 1 MiB',
    put(`${SANDBOX}/faults`, { faults: [{ operation: 'ppf.push', effect: { status: 500, body: filling(i => i) } }] }),
  ),
  onLarge('push among 1,000 faults', post(`${PPF}/push`, { users: ['user1'], filters: [100_001] }), [
    put(`${SANDBOX}/faults`, {
      faults: Array.from({ length: 1_000 }, () => ({
        path: '/rest/*/latest/push',
        when: { nth: 1_000_000 },
        effect: { status: 500 },
      })),
    }),
  ]),
  onLarge('GET faults: 1,000', get(`${SANDBOX}/faults`), [
    put(`${SANDBOX}/faults`, {
      faults: Array.from({ length: 1_000 }, () => ({ operation: 'ppf.push', effect: { status: 500 } })),
    }),
  ]),
  stall(
    'PUT readings: as many as fit',
    put(
      `${SANDBOX}/readings`,
      record(i => [`gap${i}`, 'x']),
    ),
  ),
  stall('PUT readings: a long one', put(`${SANDBOX}/readings`, { 'context-path': `/${longText('x')}` })),
  stall('PUT clock', put(`${SANDBOX}/clock`, { advance: longText('P') })),
  stall('play: a shipped scenario', post(`${SANDBOX}/play`, { scenario: 'first-steps' })),
  stall(
    'provider state: a group of as many as fit',
    post('/_fake/v1/provider-states', { state: 'group exists', params: { name: 'g', members: filling(i => `m${i}`) } }),
  ),
  stall('provider state: unknown, 1 MiB', post('/_fake/v1/provider-states', { state: longText('x') })),
  stall(
    'provider state: unknown parameters',
    post('/_fake/v1/provider-states', { state: 'user exists', params: record(i => [`p${i}`, i]) }),
  ),
  onLarge('provider state: on a large world', {
    ...post('/_fake/v1/provider-states', { state: 'user exists', params: { name: 'bob' } }),
    headers: { 'X-Fake-Sandbox': 's' },
  }),
  stall('GET openapi.json', get('/_fake/v1/openapi.json')),
  stall('GET control-openapi.json', get('/_fake/v1/control-openapi.json')),
  stall('GET ledger', get('/_fake/v1/ledger')),
  stall('GET guide', get('/_fake/v1/guide')),
  stall('GET metrics', get('/_fake/v1/metrics')),
  stall('GET provider-states', get('/_fake/v1/provider-states')),
];

export const actionStalls: readonly Stall[] = [...worlds, ...sandboxes, ...journals, ...verifications, ...others];

/** As many fields as a body holds. */
function record(field: (i: number) => readonly [key: string, value: unknown]): Record<string, unknown> {
  return Object.fromEntries(filling(field, 2_000));
}

/** Lists in lists, with a long list in the innermost. */
function nested(levels: number): unknown {
  let value: unknown = filling(() => 1, BODY / 4);
  for (let i = 0; i < levels; i += 1) value = i % 2 === 0 ? [value] : { k: value };
  return value;
}
