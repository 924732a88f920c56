// Random histories of a sandbox without a store: requests, and every change made from outside. Values only.
import fc from 'fast-check';
import { applyPatch, type WorldPatch } from '../../../server/domain/form/patch.js';
import { arm } from '../../../server/engine/faults/armed.js';
import type { Fault } from '../../../server/engine/faults/fault.js';
import { type Origin, withoutSnapshots } from '../../../server/engine/sandbox/state.js';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { chosen, faults, instants, patches } from '../../model/changes.js';
import { requests } from '../../model/requests.js';
import { smallTeam } from '../../support/worlds/ask.js';
import { Walk } from './walk.js';

/** One step; the walk continues with the result. Printed as its call. */
export interface Step {
  go(walk: Walk): Walk;
  toString(): string;
}

const step = (shown: string, act: (walk: Walk) => unknown): Step => ({
  go: walk => {
    const next = act(walk);
    return next instanceof Walk ? next : walk;
  },
  toString: () => shown,
});

const names = fc.constantFrom('alice', 'bob', '__proto__', 'constructor', '\ud800', 'a\u2028b\n', ' ');
const texts = fc.constantFrom('', 'ü', '\udfff', '__proto__', '"\\\n', 'Welcome', 'Home');
const one = (name: string, key: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>) =>
  fc.tuple(key, value).map(([at, what]) => ({ [name]: Object.fromEntries([[at, what]]) }));
/** Rare values: users who are deleted and recreated, tokens that change owner, pages without a position, unusual names. */
const oddPatches = fc.oneof(
  one(
    'users',
    names,
    fc.option(
      fc.record({ token: fc.option(fc.constantFrom('t', 'admin-token')), password: texts }, { requiredKeys: [] }),
    ),
  ),
  fc.constant({ users: { admin: { token: 'bobs' }, alice: { token: 'admin-token' } } }),
  one('groups', names, fc.option(fc.uniqueArray(names, { maxLength: 2 }))),
  one(
    'spaces',
    names,
    fc.option(fc.record({ sidebar: fc.array(fc.record({ label: texts, url: texts }), { maxLength: 2 }) })),
  ),
  one(
    'pages',
    fc.constantFrom('65601', '65801', '65802', '999999999999999'),
    fc.option(
      fc.record(
        { space: fc.oneof(fc.constant('ds'), names), title: texts, position: fc.constantFrom(0, 7, 2_147_483_647) },
        { requiredKeys: ['space', 'title'] },
      ),
      { freq: 3 },
    ),
  ),
  one('favourites', fc.constantFrom('carol', 'bob'), fc.record({ filters: fc.constantFrom([], [10500, 10600]) })),
  fc.constantFrom(70_000, 999_999_999_999_990).map(nextPageId => ({ nextPageId })),
) as fc.Arbitrary<WorldPatch>;

const kept = fc.constantFrom('s', 't', '__proto__');
const bodies = fc.constantFrom<unknown>(
  'text',
  null,
  { a: [1, { __proto__: null }] },
  JSON.parse('{"__proto__":{"a":1}}'),
  [],
  1e21,
);
const armed: fc.Arbitrary<readonly Fault[]> = fc.array(
  fc.oneof(
    faults as fc.Arbitrary<Fault>,
    fc.record({
      path: fc.constant('/rest/*/latest/*/*'),
      effect: fc.record({ body: bodies, delay: fc.constantFrom<number | [number, number]>(0, [0, 1]) }),
    }),
    fc.record({
      operation: fc.constant('ppf.push' as const),
      when: fc.record({ chance: fc.constantFrom(0.5, 1e-9), seed: fc.nat(3) }),
      effect: fc.constant({ garble: true as const, dribble: { bytes: 1, every: 1 } }),
    }),
  ),
  { maxLength: 2 },
);

/** A page that is created and deleted, and leaves only its position behind. */
const fleeting = fc.tuple(fc.constantFrom('ds', 'tmpl'), fc.integer({ min: 3, max: 99 })).map(([space, position]) =>
  step(`a page at ${position} in ${space} comes and goes`, walk => {
    walk.patch({ pages: { '64001': { space, title: 'Fleeting', position } } });
    walk.patch({ pages: { '64001': null } });
  }),
);
const patching = fc
  .oneof(patches as fc.Arbitrary<WorldPatch>, oddPatches)
  .map(patch => step(`patch ${JSON.stringify(patch)}`, walk => walk.patch(patch)));

const behind: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: patching },
  fleeting,
  chosen.map(readings =>
    step(`read ${JSON.stringify(readings)}`, walk =>
      walk.change({ type: 'readings-set', readings: readings as SomeReadings }),
    ),
  ),
  armed.map(list =>
    step(`arm ${JSON.stringify(list)}`, walk => walk.change({ type: 'faults-set', faults: arm(list) })),
  ),
  fc
    .oneof(
      instants.map(stands => ({ stands })),
      fc.integer().map(ahead => ({ ahead })),
    )
    .map(clock => step(`turn ${JSON.stringify(clock)}`, walk => walk.change({ type: 'clock-set', clock }))),
  {
    weight: 3,
    arbitrary: kept.map(name =>
      step(`keep ${name}`, walk => walk.change({ type: 'snapshot-kept', name, of: walk.version, at: walk.time })),
    ),
  },
  kept.map(name =>
    step(`drop ${name}`, walk =>
      walk.state.snapshots?.has(name) ? walk.change({ type: 'snapshot-dropped', name }) : undefined,
    ),
  ),
  {
    weight: 2,
    arbitrary: kept.map(name =>
      step(`restore ${name}`, walk =>
        walk.state.snapshots?.has(name) ? walk.change({ type: 'restored', name }) : undefined,
      ),
    ),
  },
  fc
    .nat(30)
    .map(number => step(`rewind ${number}`, walk => walk.change({ type: 'rewound', to: number % (walk.version + 1) }))),
  fc.constant(step('reset', walk => walk.change({ type: 'sandbox-reset' }))),
  fc.constant(step('fork', walk => new Walk(withoutSnapshots(walk.state)))),
);

const asking = requests.map(request =>
  step(`${request.method} ${request.url} ${JSON.stringify(request.body)}`, walk => walk.ask(request)),
);

/** The values that show whether two sandboxes are equal. */
export const asked: fc.Arbitrary<readonly Step[]> = fc.array(fc.oneof({ weight: 3, arbitrary: asking }, patching), {
  maxLength: 12,
  size: 'max',
});

/** At most this many steps, half of them requests. */
export function courses(maxLength: number): fc.Arbitrary<readonly Step[]> {
  return fc.array(fc.oneof(asking, behind), { maxLength, size: 'max' });
}

export function gone(origin: Origin, course: readonly Step[]): Walk {
  return course.reduce((walk, { go }) => go(walk), new Walk(origin));
}

const lenient: SomeReadings = {
  'unknown-group': 'create',
  'space-key-format': 'any',
  'replace-title-clash': 'allow',
  'unknown-user': 'skip',
  'missing-field': 'empty',
  'ppf-invisible-item': 'push-anyway',
};
/** Large enough that a history changes only a small part. */
const wordy = applyPatch(smallTeam, { pages: { '65701': { body: 'NAME '.repeat(4000) } } });
/** The small team under the strictest and the most permissive readings. */
export const origins: fc.Arbitrary<Origin> = fc.constantFrom<Origin>(
  { scenario: 'small-team', world: smallTeam, readings: {} },
  { scenario: 'lenient', world: wordy, readings: lenient, clock: '2026-01-05T09:00:00Z' },
  {
    scenario: 'faulty',
    world: wordy,
    readings: lenient,
    seed: 7,
    faults: [{ operation: 'groups.add-users', when: { every: 2 }, effect: { status: 503 } }],
  },
);
