// What `calibrate` and `conform` share: a server that is not ours, with what is known of it, and how one scenario is prepared and played there.
import { randomInt } from 'node:crypto';
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
  spacesIn,
  subjectsOf,
} from '../changes/subjects.js';
import type { Mapped } from '../names/mapped-steps.js';
import type { NamesThere } from '../names/name-map.js';
import { familyOf } from '../target/family.js';
import { RestApi, type Served } from '../target/rest-api.js';
import { alikeFields, RestView, type TextField } from '../target/rest-view.js';
import type { RetryingTarget } from '../target/retrying-target.js';
import { FaultyServer } from './faulty-server.js';
import type { Absence } from './served-apis.js';

export interface RunContext {
  readonly target: RetryingTarget;
  readonly names: NamesThere;
  /** The value of `${run}`. */
  readonly run: string;
  readonly api: RestApi;
  readonly served: Served;
  readonly alike: readonly TextField[];
  readonly state: ServerState;
  /** By subject, why steps that may change it are skipped. */
  readonly withheld: ReadonlyMap<string, string>;
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

/** Reads what the scenarios are going to change, and what keeps some of their steps from being played. Changes nothing. */
export async function prepareRun(
  scenarios: readonly Mapped[],
  { target, names, run, signal }: Pick<RunContext, 'target' | 'names' | 'run' | 'signal'>,
  isLossAccepted: boolean,
): Promise<PreparedRun> {
  const served = await new RestApi(target, names).served();
  const api = new RestApi(target, names, served);
  const state = new ServerState(target, api, names);
  const subjects = subjectsToSave(scenarios, names);
  const unreadable = await state.save(subjects);
  const withheld = isLossAccepted ? [] : unreadable.map(one => [keyOf(one), unreadableReason(one, served)] as const);
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

/** By index, why a step is not played: its names are not mapped, what it changes cannot be read, or its caller or API is refused. */
export function reasonsNotToPlay(scenario: Mapped, context: RunContext): ReadonlyMap<number, string> {
  const { names, withheld, refused } = context;
  const reasons = new Map<number, string>();
  for (const [i, step] of scenario.loaded.steps.entries()) {
    const { as } = step;
    const subject = subjectsOf(scenario, i, names).find(one => withheld.has(keyOf(one)));
    const reason =
      scenario.reasons.get(i) ??
      (step.world === undefined ? undefined : 'no operation can change the world as this step requires') ??
      (typeof as === 'string' && refused.has(as) ? `the server refuses the password of ${as}` : undefined) ??
      (subject && withheld.get(keyOf(subject))) ??
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
  if (absence === undefined || absence.isRefused) return absence?.why;
  return (family === 'wiki' ? served.confluence : served.jira) ? undefined : absence.why;
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
  const refused = new Set<string>();
  for (const user of callers) if (passwords.has(user) && (await api.refusesPasswordOf(user))) refused.add(user);
  return refused;
}

/** Brings what a scenario changes to the state of the fixture; returns what could not be changed, and the state that it has. */
export async function prepare(scenario: Mapped, context: RunContext): Promise<readonly Deviation[]> {
  const { names, state, api } = context;
  const reasons = reasonsNotToPlay(scenario, context);
  const failed = await state.prepare(allSubjects(scenario, names, i => reasons.has(i)));
  return failed.map(subject => ({ subject, state: api.latest.get(keyOf(subject)) }));
}

/** Plays one step: what it may have changed is unknown until it is read again. */
export async function playStep(
  player: Player,
  index: number,
  scenario: Mapped,
  { state, names }: RunContext,
): Promise<Played> {
  const remember = state.forget(changedBy(scenario, index, names));
  const played = await player.play(index);
  const isRefused = played.outcome === 'passed' && (played.received?.status ?? 0) >= 400;
  if (isRefused) remember();
  if (played.outcome !== 'failed' || subjectsOf(scenario, index, names).every(one => state.isSaved(one))) return played;
  return {
    ...played,
    outcome: 'skipped',
    why: 'it depends on data that cannot be read, so its failure is inconclusive',
  };
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
