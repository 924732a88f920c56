// What `calibrate` and `conform` share: a server that is not ours, with what is known of it, and how one scenario is prepared and played there.
import { randomInt } from 'node:crypto';
import { fewOf } from '../../server/derive/text/counted.js';
import { anyOperationOf } from '../../server/operations/catalog/catalog.js';
import type { SomeReadings } from '../../server/operations/gaps/gaps.js';
import { chosenReadings } from '../../server/operations/gaps/profiles.js';
import type { Family } from '../../server/operations/operation.js';
import type { Step } from '../../server/scenario/format/step-format.js';
import type { Loaded } from '../../server/scenario/load/load-scenario.js';
import { type Played, Player } from '../../server/scenario/play/player.js';
import { unreadableReason } from '../changes/plan-text.js';
import { ServerState } from '../changes/server-state.js';
import {
  allSubjects,
  changedBy,
  type Deviation,
  keyOf,
  type Subject,
  sharingGroups,
  spacesIn,
  subjectsOf,
} from '../changes/subjects.js';
import type { Mapped, Named } from '../names/mapped-steps.js';
import type { NameKind, NamesThere } from '../names/name-map.js';
import { familyOf } from '../target/family.js';
import { isPassing, type PatientTarget } from '../target/patient-target.js';
import { RestApi, type ServedApis } from '../target/rest-api.js';
import { alikeFields, RestView, type TextField } from '../target/rest-view.js';
import { FaultyServer } from './faulty-server.js';
import type { Absence } from './served-apis.js';

export interface RunContext {
  readonly target: PatientTarget;
  readonly names: NamesThere;
  /** The value of `${run}`. */
  readonly run: string;
  readonly api: RestApi;
  readonly served: ServedApis;
  readonly alike: readonly TextField[];
  readonly state: ServerState;
  /** By subject, why steps that may change it are skipped. */
  readonly withheld: ReadonlyMap<string, string>;
  /** Why steps that use a name are skipped, by `nameKey`. */
  readonly lacking: ReadonlyMap<string, string>;
  /** Why steps that use a group are skipped because Jira has other members in it, found out before each scenario. */
  readonly unlike: Map<string, string>;
  /** Users whose password the server refuses. */
  readonly refused: ReadonlySet<string>;
  /** The APIs that the server does not serve, or not to the admin. */
  readonly absent: ReadonlyMap<Family, Absence>;
  /** Aborted: stop after the request in progress. */
  readonly signal: AbortSignal;
}

/** What a run is going to change, before it asks for consent. */
export interface PreparedRun {
  readonly context: Omit<RunContext, 'absent'>;
  readonly subjects: readonly Subject[];
  /** Those whose state cannot be read. */
  readonly unreadable: readonly Subject[];
  /** Keys of the spaces that it may create. */
  readonly spaces: readonly string[];
}

/** The REST APIs that a server has. */
export async function servedApi(target: PatientTarget, names: NamesThere): Promise<RestApi> {
  return new RestApi(target, names, await new RestApi(target, names).served());
}

/** Reads what the scenarios are going to change, and what keeps some of their steps from being played. Changes nothing. */
export async function prepareRun(
  scenarios: readonly Mapped[],
  { target, names, run, signal }: Pick<RunContext, 'target' | 'names' | 'run' | 'signal'>,
  isLossAccepted: boolean,
): Promise<PreparedRun> {
  const api = await servedApi(target, names);
  const served = api.serves;
  const state = new ServerState(target, api, names);
  const subjects = subjectsToSave(scenarios, names);
  const unreadable = await state.save(subjects);
  const reasonOf = (one: Subject) => unreadableReason(one, served, api.problems.get(keyOf(one)));
  const withheld = isLossAccepted ? [] : unreadable.map(one => [keyOf(one), reasonOf(one)] as const);
  const keys = new Set(scenarios.flatMap(spacesIn).map(key => key.replaceAll(RUN, run)));
  const context = {
    target,
    names,
    run,
    api,
    served,
    alike: served.confluence ? await alikeFields(api, names) : [],
    state,
    withheld: new Map(withheld),
    lacking: await lackingNames(scenarios, api, names),
    unlike: new Map<string, string>(),
    refused: await refusedUsers(scenarios, api, names),
    signal,
  };
  return { context, subjects, unreadable, spaces: [...keys].filter(key => key.includes(run)).sort() };
}

/** As scenarios write it. */
const RUN = ['$', '{run}'].join('');

/** A unique run id: six capital letters and digits, beginning with a letter. */
export function freshRun(): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const pick = (from: string) => from.charAt(randomInt(from.length));
  return pick(letters) + Array.from({ length: 5 }, () => pick(`${letters}0123456789`)).join('');
}

function nameKey(family: Family, kind: NameKind, name: string): string {
  return `${family} ${kind} ${name}`;
}

/** The names of the fixture in the requests of a step, with the API that is asked. */
function usedNames(scenario: Mapped, index: number, { world }: NamesThere) {
  const step = scenario.loaded.steps[index];
  const family = step && familyOf(step);
  const known = { user: world.users, group: world.groups, space: world.spaces, page: world.pages } as const;
  const named = scenario.named[index] ?? [];
  const sharing = family === 'ppf' ? sharingGroups(named, world).map((group): Named => ['group', group]) : [];
  return [...named, ...sharing].flatMap(([kind, name]) =>
    family !== undefined && kind in known && known[kind as keyof typeof known].has(name)
      ? [{ family, kind, name }]
      : [],
  );
}

/** What a product lacks of the names that steps use: a step would fail for that reason alone. */
async function lackingNames(
  scenarios: readonly Mapped[],
  api: RestApi,
  names: NamesThere,
): Promise<ReadonlyMap<string, string>> {
  const used = scenarios.flatMap(one => one.loaded.steps.flatMap((_, i) => usedNames(one, i, names)));
  const places = new Map(used.map(one => [nameKey(one.family, one.kind, one.name), one]));
  const found = [...places].map(async ([key, { family, kind, name }]) => {
    const real = names.real(kind, name);
    const isLacking = real !== undefined && (await api.lacks(family, kind, real));
    const product = family === 'wiki' ? 'Confluence' : 'Jira';
    return isLacking ? [[key, `${product} has no ${kind} ${real}: create it, or map ${name} to another`] as const] : [];
  });
  return new Map((await Promise.all(found)).flat());
}

/** Groups that a push or pull names, but that have other members in Jira than the step expects: it would change other users. */
async function unlikeGroups(scenario: Mapped, { names, api, served }: RunContext): Promise<Array<[string, string]>> {
  const used = scenario.loaded.steps.flatMap((_, i) => usedNames(scenario, i, names));
  const groups = new Set(
    used.flatMap(({ family, kind, name }) => (family === 'ppf' && kind === 'group' ? [name] : [])),
  );
  if (!served.jira) return [];
  const found = [...groups].map(async (name): Promise<Array<[string, string]>> => {
    const real = names.real('group', name);
    const members = real === undefined ? undefined : await api.trackerMembers(real);
    const expected = [...(names.world.groups.get(name) ?? [])].flatMap(user => names.real('user', user) ?? []);
    if (!members || members.join() === expected.sort().join()) return [];
    return [
      [
        nameKey('ppf', 'group', name),
        `the group ${real} has other members in Jira than the test needs: ${fewOf(members, 5) || 'none'}`,
      ],
    ];
  });
  return (await Promise.all(found)).flat();
}

/** By index, why a step is not played: its names are not mapped, what it changes cannot be read, or its caller or API is refused. */
export function reasonsNotToPlay(scenario: Mapped, context: RunContext): ReadonlyMap<number, string> {
  const { names, withheld, refused } = context;
  const reasons = new Map<number, string>();
  for (const [i, step] of scenario.loaded.steps.entries()) {
    const { as } = step;
    const subject = subjectsOf(scenario, i, names).find(one => withheld.has(keyOf(one)));
    const keys = usedNames(scenario, i, names).map(({ family, kind, name }) => nameKey(family, kind, name));
    const reason =
      context.target.notGiven.get(familyOf(step) ?? 'wiki') ??
      scenario.reasons.get(i) ??
      (step.world === undefined ? undefined : 'no operation can change the world as this step requires') ??
      context.lacking.get(keys.find(key => context.lacking.has(key)) ?? '') ??
      (typeof as === 'string' && refused.has(as) ? `the server refuses the password of ${as}` : undefined) ??
      (subject && withheld.get(keyOf(subject))) ??
      context.unlike.get(keys.find(key => context.unlike.has(key)) ?? '') ??
      absenceOf(step, context);
    if (reason !== undefined) reasons.set(i, reason);
  }
  return reasons;
}

/** An API that is missing although the product's own REST API is there is served at a wrong address: that is for the suite to find. */
function absenceOf(step: Step, { absent, served }: RunContext): string | undefined {
  const product = step.call === undefined ? undefined : anyOperationOf(step.call)?.family;
  if (product === 'confluence' && !served.confluence) return "the server does not have Confluence's REST API";
  if (product === 'jira' && !served.jira) return "the server does not have Jira's REST API";
  const family = familyOf(step);
  const absence = family && absent.get(family);
  if (absence?.refusal === 403 && isRefusing(step)) return undefined; // others must be refused, too
  if (absence === undefined || absence.refusal !== undefined) return absence?.why;
  return (family === 'wiki' ? served.confluence : served.jira) ? undefined : absence.why;
}

/** Whether a user who is not an admin has to be refused. */
function isRefusing({ as, expect }: Step): boolean {
  return as !== undefined && expect?.status === 403;
}

/** The callers of some scenarios whose known password the server refuses. */
async function refusedUsers(
  scenarios: readonly Mapped[],
  api: RestApi,
  { passwords }: NamesThere,
): Promise<ReadonlySet<string>> {
  const callers = new Set(
    scenarios.flatMap(({ loaded }) => loaded.steps.flatMap(({ as }) => (typeof as === 'string' ? [as] : []))),
  );
  const known = [...callers].filter(user => passwords.has(user));
  const isRefused = await Promise.all(known.map(user => api.refusesPasswordOf(user)));
  return new Set(known.filter((_, i) => isRefused[i]));
}

/** Brings what a scenario changes to the state of the fixture; returns what could not be changed, and the state that it has. */
export async function prepare(scenario: Mapped, context: RunContext): Promise<readonly Deviation[]> {
  const { names, state, api, unlike } = context;
  unlike.clear();
  const reasons = reasonsNotToPlay(scenario, context);
  const failed = await state.prepare(allSubjects(scenario, names, i => reasons.has(i)));
  for (const [key, why] of await unlikeGroups(scenario, context)) unlike.set(key, why);
  return failed.map(subject => ({ subject, state: api.latest.get(keyOf(subject)) }));
}

/** Plays one step: what it may have changed is unknown until it is read again. */
export async function playStep(
  player: Player,
  index: number,
  scenario: Mapped,
  { state, names, absent }: RunContext,
): Promise<Played> {
  const remember = state.forget(state.likeAny(changedBy(scenario, index, names)));
  const played = await player.play(index);
  const { sent, received, outcome, step } = played;
  if (outcome === 'passed' && (received?.status ?? 0) >= 400) remember();
  const unsure = outcome === 'failed' ? inconclusive(step, sent, received) : undefined;
  const absence = outcome === 'passed' ? absent.get(familyOf(step) ?? 'wiki') : undefined;
  const why = unsure ?? (absence?.refusal === undefined ? undefined : absence.why); // refused as everybody is
  if (why !== undefined) return { ...played, outcome: 'skipped', why };
  if (played.outcome !== 'failed' || subjectsOf(scenario, index, names).every(one => state.isSaved(one))) return played;
  return {
    ...played,
    outcome: 'skipped',
    why: 'it depends on data that cannot be read, so its failure is inconclusive',
  };
}

/** The operations may treat unknown names each in its own way: the probes find out that of one. */
const PROBED = 'groups.add-users';

/** Why the failure of a step says nothing about a rule. */
function inconclusive({ call, readings = {} }: Step, sent: Played['sent'], received: Played['received']) {
  if (received !== undefined && isPassing(received.status))
    return `${sent?.method} ${sent?.path} still got ${received.status} when it was repeated, or must not be repeated`;
  const gap = (['unknown-user', 'unknown-group'] as const).find(one => readings[one] !== undefined);
  if (gap === undefined || call === PROBED) return undefined;
  return `it needs ${gap}=${readings[gap]} for ${call}, but that reading was found for ${PROBED}`;
}

/** A player of a scenario, with a view of the server's world. */
export async function playerFor(
  scenario: Mapped,
  { target, names, run, api, alike }: RunContext,
  known: SomeReadings,
): Promise<Player> {
  const view = new RestView(api, { names, run, alike, created: await createdPages(scenario.loaded, known, run) });
  return new Player(scenario.loaded, target, { passwords: names.passwords, known, run, view, mayHaveMore: true });
}

/** The space of each page that a scenario creates on a correct server, by the page's id in the fixture. */
export async function createdPages(
  loaded: Loaded,
  known: SomeReadings,
  run: string,
): Promise<ReadonlyMap<string, string>> {
  const { world } = loaded.origin;
  if (!loaded.steps.some(({ call }) => call === 'spaces.copy')) return new Map();
  const server = new FaultyServer({
    world,
    readings: chosenReadings({ readings: known }),
    now: new Date().toISOString(),
  });
  for await (const _ of new Player(loaded, server, { known, run }).all());
  return new Map([...server.world.pages].filter(([id]) => !world.pages.has(id)).map(([id, { space }]) => [id, space]));
}

/** The subjects that a run changes and does not withhold. */
export function subjectsToSave(scenarios: readonly Mapped[], names: NamesThere): readonly Subject[] {
  const all = scenarios.flatMap(scenario => allSubjects(scenario, names));
  return [...new Map(all.map(subject => [keyOf(subject), subject])).values()];
}
