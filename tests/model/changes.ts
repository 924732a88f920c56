// Values for changes through the control API: readings, clock, world, faults. steps.ts applies them.
import fc from 'fast-check';
import type { ModelFault } from './model.js';
import type { ModelReadings } from './readings.js';
import { groups, reading, users } from './requests.js';

/** A few readings, or a whole other world. */
export const chosen: fc.Arbitrary<ModelReadings> = fc
  .oneof(fc.array(reading, { maxLength: 2 }), fc.array(reading, { minLength: 5, maxLength: 20, size: 'max' }))
  .map(list => Object.assign({}, ...list));
/** The values that a clock can be set to. */
export const instants = fc.constantFrom('2026-01-05T09:00:00Z', '2024-02-29T23:59:59.500Z', '1999-12-31T00:00:00Z');

const page = fc.record(
  {
    space: fc.constantFrom('ds', 'tmpl'),
    title: fc.constantFrom('Welcome', 'Other'),
    body: fc.constant('<p>e</p>'),
    author: users,
    position: fc.nat(9),
    version: fc.integer({ min: 1, max: 9 }),
    edit: fc.record({ users: fc.array(users, { maxLength: 1 }), groups: fc.array(groups, { maxLength: 1 }) }),
  },
  { requiredKeys: ['space', 'title', 'position'] },
);
const item = fc.record({
  owner: users,
  sharedWith: fc.oneof(
    fc.constantFrom('everyone', 'nobody'),
    fc.record({ groups: fc.uniqueArray(groups, { maxLength: 2 }) }),
  ),
});
const user = fc.record(
  {
    admin: fc.boolean(),
    password: fc.constantFrom('carol', 'any', null),
    token: fc.constantFrom('bobs', 'admin-token', null),
    displayName: fc.constant('Somebody'),
  },
  { requiredKeys: [] },
);
const one = (name: string, key: fc.Arbitrary<string | number>, value: fc.Arbitrary<unknown>) =>
  fc.tuple(key, value).map(([at, what]) => ({ [name]: Object.fromEntries([[at, what]]) }));
const gone = fc.constant(null);
/** Merge-patches of a world: some give a valid one, and some use unknown names. */
export const patches = fc.oneof(
  one('groups', groups, fc.oneof(fc.uniqueArray(users, { maxLength: 3 }), gone)),
  one('users', users, fc.oneof(user, gone)),
  one(
    'spaces',
    fc.constantFrom('ds', 'NEW', 'other'),
    fc.oneof(fc.record({ name: fc.constant('New') }), fc.record({ admins: fc.array(users, { maxLength: 1 }) }), gone),
  ),
  one('pages', fc.constantFrom('65601', '65800'), fc.oneof(page, gone)),
  one('filters', fc.constantFrom(10500, 10700), fc.oneof(item, gone)),
  one('dashboards', fc.constantFrom(11000, 11100), fc.oneof(item, gone)),
  one('favourites', users, fc.record({ filters: fc.uniqueArray(fc.constantFrom(10500, 10600, 1), { maxLength: 2 }) })),
  fc.constantFrom('valid', 'expired', 'none', 'perhaps').map(ppf => ({ licence: { ppf } })),
  fc.constantFrom(1, 65_900).map(nextPageId => ({ nextPageId })),
  fc.constant({}),
);

/** The operations that faults and request patterns are about. */
export const operations = [
  'ppf.push',
  'ppf.pull',
  'groups.add-users',
  'groups.set-users',
  'permissions.view-add',
  'spaces.copy',
];
const count = fc.integer({ min: 1, max: 3 });
const phase = fc.constantFrom('before' as const, 'after' as const);
const when = fc.oneof(
  count.map(nth => ({ nth })),
  count.map(every => ({ every })),
  count.map(first => ({ first })),
);
const narrow = {
  caller: fc.constantFrom('admin', 'admin', 'alice', 'anonymous', 'nobody'),
  times: count,
  until: instants,
};
/** The name of all holds. */
export const HOLD = 'gate';

/** Faults whose effects the model knows. */
export const faults: fc.Arbitrary<ModelFault> = fc
  .record({
    where: fc.oneof(
      fc.constantFrom(...operations).map(operation => ({ operation })),
      fc
        .constantFrom(
          '/rest/*/latest/*',
          '/rest/*/latest/*/*',
          '/rest/cwxapiextension/latest/groups/add-users',
          '/*/rest/cwx-ppf/latest/push',
        )
        .map(path => ({ path })),
    ),
    rest: fc.oneof(
      fc.record({ phase, when }, { requiredKeys: [] }),
      fc.record({ phase, when, ...narrow }, { requiredKeys: [] }),
    ),
    effect: fc.oneof(
      {
        weight: 2,
        arbitrary: fc.constantFrom<ModelFault['effect']>(
          { status: 503 },
          { status: 204 },
          { status: 200 },
          { status: 429, body: { slow: 'down' } },
          { body: { odd: true } },
          { hangUp: true },
          { truncateAt: 0 },
          { truncateAt: 100_000 },
          { headers: { 'X-A': 'b' } },
          { hold: HOLD },
        ),
      },
      { weight: 1, arbitrary: fc.nat(3).map((succeed): ModelFault['effect'] => ({ partial: { succeed } })) },
      {
        weight: 1,
        arbitrary: fc
          .record({ limit: count, window: fc.constantFrom(1, 3600) })
          .map((rateLimit): ModelFault['effect'] => ({ rateLimit })),
      },
    ),
  })
  .map(({ where, rest, effect }) => {
    if (effect.partial !== undefined) return { operation: 'ppf.push', ...rest, effect };
    const { phase: _, when: __, ...narrowed } = rest; // a rate limit is due when it is reached, before anything is applied
    return { ...where, ...(effect.rateLimit === undefined ? rest : narrowed), effect };
  });
