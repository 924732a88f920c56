// Computes the changes of a run on a foreign server by playing its scenarios in process first.
import { randomInt } from 'node:crypto';
import { evolveAll } from '../../domain/facts.js';
import type { World } from '../../domain/world.js';
import { silentLog } from '../../engine/log.js';
import { inProcess } from '../../library/target/in-process-target.js';
import { readingNames, type SomeReadings } from '../../operations/gaps/gaps.js';
import type { Step } from '../../scenario/format/step-format.js';
import type { Loaded } from '../../scenario/load/story.js';
import { Player } from '../../scenario/play/player.js';
import { isProblems, type Problems } from '../../scenario/yaml/problem.js';
import { type Assembled, assemble } from '../../server.js';
import { settingsFrom } from '../../settings.js';
import { type Mapped, mapped } from '../names/mapped-steps.js';
import type { NamesThere } from '../names/name-map.js';
import { type Change, changesBy, each } from './changes.js';
import { type Plan, shippedPlan } from './shipped-plans.js';
import { areApart, type Touched } from './touched.js';

/** A scenario to be played on another server. */
export interface Planned extends Plan {
  /** With fixture names. */
  readonly written: Loaded;
  readonly mapped: Mapped;
}

/** The readings with the fewest refusals. */
const lavish: SomeReadings = {
  'missing-field': 'empty',
  'missing-list': 'empty',
  'missing-parameter': 'empty',
  'null-field': 'absent',
  'query-boolean': 'lenient',
  'old-text-empty': 'ignored',
  'replaced-title': 'allow',
  'unknown-user': 'skip',
  'unknown-group': 'create',
  'space-key-format': 'any',
  'replace-title-clash': 'allow',
  'ppf-invisible-item': 'push-anyway',
  'ppf-empty-arrays': 'present',
};
/** A unique run id: six capital letters and digits, beginning with a letter. */
export function freshRun(): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const pick = (from: string) => from.charAt(randomInt(from.length));
  return pick(letters) + Array.from({ length: 5 }, () => pick(`${letters}0123456789`)).join('');
}

type Unplanned = Pick<Planned, 'written' | 'mapped'>;

/** The changes of each scenario: the shipped plan if every step can be played there, else the result of playing it here. */
export async function planOf(
  scenarios: readonly Loaded[],
  names: NamesThere,
  run: string,
): Promise<readonly Planned[] | Problems> {
  const all: readonly Unplanned[] = scenarios.map(written => ({ written, mapped: mapped(written, names) }));
  const found = new Map<Unplanned, Planned>();
  for (const one of all) {
    const plan = one.mapped.reasons.size === 0 ? shippedPlan(one.written, run) : undefined;
    if (plan !== undefined) found.set(one, asPlanned({ ...one, ...plan }));
  }
  const others = all.filter(one => !found.has(one));
  const played = await simulated(others, run);
  if (isProblems(played)) return played;
  for (const [i, one] of others.entries()) {
    const plan = played[i];
    if (plan !== undefined) found.set(one, asPlanned(plan));
  }
  return all.flatMap(one => found.get(one) ?? []);
}

/** A step that is to be refused only reads, and so does one of which nothing comes. What happens in spaces that the run creates is not planned. */
function asPlanned(planned: Planned): Planned {
  const { mapped, changes, refused } = planned;
  const isIdle = (i: number) => changes[i]?.length === 0 && !hangsOnReadings(planned, i);
  const idle = new Set([...mapped.loaded.steps.keys()].filter(isIdle));
  const isRead = (name: string, i: number) =>
    refused.has(i) || (idle.has(i) && /^(?:favourite|group|page) /.test(name));
  const read = ({ reads, writes }: Touched, i: number): Touched => ({
    reads: new Set([...reads, ...[...writes].filter(name => isRead(name, i))]),
    writes: new Set([...writes].filter(name => !isRead(name, i))),
  });
  const { touched, touchedAndShown } = mapped;
  return { ...planned, mapped: { ...mapped, touched: touched.map(read), touchedAndShown: touchedAndShown.map(read) } };
}

/** Whether an earlier step changes the same things under some readings only: where it is skipped, more may come of this one. */
function hangsOnReadings({ mapped: { loaded, touched }, changes }: Planned, i: number): boolean {
  return loaded.steps.slice(0, i).some(({ readings }, earlier) => {
    const [one, other] = [touched[i], touched[earlier]];
    if (readings === undefined || changes[earlier]?.length === 0 || one === undefined || other === undefined)
      return false;
    return !areApart(one, other);
  });
}

/** Plays each scenario in its own world, under the readings that may influence its changes. */
export async function simulated(scenarios: readonly Unplanned[], run: string): Promise<readonly Planned[] | Problems> {
  if (scenarios.length === 0) return [];
  const fake = await assemble(settingsFrom(undefined, {}), silentLog);
  if (isProblems(fake)) return fake;
  try {
    const planned: Planned[] = [];
    for (const { written, mapped } of scenarios) planned.push(await plannedFor(written, mapped, fake, run));
    return planned;
  } finally {
    fake.end();
  }
}

async function plannedFor(written: Loaded, there: Mapped, fake: Assembled, run: string): Promise<Planned> {
  const changes: Array<readonly Change[]> = written.steps.map(() => []);
  const made = new Map<string, string>();
  const refused = new Set(written.steps.keys());
  for (const readings of readingsFor(written)) {
    const found = await changesUnder(written, there, fake, { run, readings });
    for (const [i, some] of found.changes.entries()) changes[i] = each([...(changes[i] ?? []), ...some]);
    for (const i of found.served) refused.delete(i);
    for (const [id, { space }] of found.world.pages)
      if (!written.origin.world.pages.has(id) && !made.has(id)) made.set(id, space);
  }
  return { written, mapped: there, changes, refused, made };
}

/** Whether a step only reads under all readings, and captures nothing. */
function isQuestionOnly({ call, request, capture }: Step): boolean {
  const isQuestion = call === 'spaces.is-unique' || request?.path.includes('/spaces/isUnique') === true;
  return capture === undefined && (isQuestion || (call === undefined && request === undefined));
}

/** The readings that may influence the changes of a scenario; for a probe, each reading of its gap. */
function readingsFor({ gap, steps }: Loaded): readonly SomeReadings[] {
  const others = gap === undefined ? [] : readingNames(gap).slice(1);
  const isViewPosted = steps.some(
    ({ call, method, request }) =>
      (method === 'POST' && call?.startsWith('permissions.view')) || request?.path.includes('/permissions/view/'),
  );
  const lavishly = isViewPosted ? [{ ...lavish, 'view-post': 'remove' } as const] : [];
  return [
    {},
    { ...lavish, 'view-post': 'add' },
    ...lavishly,
    ...others.map(reading => ({ [gap ?? '']: reading }) as SomeReadings), // readings of that gap
  ];
}

interface Simulated {
  readonly changes: ReadonlyArray<readonly Change[]>;
  readonly world: World;
  /** Steps that were not played, or not refused. */
  readonly served: readonly number[];
}

/** The changes of each playable step, and the final world. */
async function changesUnder(
  written: Loaded,
  { reasons }: Mapped,
  fake: Assembled,
  settings: { readonly run: string; readonly readings: SomeReadings },
): Promise<Simulated> {
  const target = inProcess(fake, 'plan');
  const player = new Player(written, target, settings);
  await player.begin();
  const origin = written.origin.world;
  let world = origin;
  const changes: Array<readonly Change[]> = [];
  const served: number[] = [];
  for (const [i, step] of written.steps.entries()) {
    const played = reasons.has(i) || isQuestionOnly(step) ? undefined : await player.play(i);
    const facts = played?.insight?.facts ?? [];
    if ((played?.received?.status ?? 0) < 400) served.push(i);
    changes.push(changesBy(facts, world, origin));
    world = evolveAll(world, facts);
  }
  await target.control?.end();
  return { changes, world, served };
}
