// A whole run of conform without command line and network, on any target.

import { inWorld, loadProbes, probesFor } from '../../../harness/calibrate/probes.js';
import { type Conformity, conform } from '../../../harness/conform/conform.js';
import type { Reruns } from '../../../harness/conform/diagnosis.js';
import { ruleIds, suiteFor } from '../../../harness/conform/suite-run.js';
import type { Verdict } from '../../../harness/conform/verdicts.js';
import { type Mapped, mapped } from '../../../harness/names/mapped-steps.js';
import { NamesThere } from '../../../harness/names/name-map.js';
import { FaultyServer } from '../../../harness/run/faulty-server.js';
import { prepareRun, type RunContext } from '../../../harness/run/run-context.js';
import { absentFamilies } from '../../../harness/run/served-apis.js';
import { type Patience, PatientTarget } from '../../../harness/target/patient-target.js';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { chosenReadings } from '../../../server/operations/gaps/profiles.js';
import { defaultFolders, packageRoot } from '../../../server/scenario/files/folders.js';
import type { Target } from '../../../server/scenario/play/target.js';
import type { FaultyServer as Listed } from '../../harness/faulty-servers/list.js';
import { must, smallTeam } from './outside.js';

export const RUN = 'TEST01';

export interface Scenarios {
  readonly names: NamesThere;
  readonly probes: readonly Mapped[];
  readonly suite: readonly Mapped[];
  /** What was played to explain failures, which is the same for many servers. */
  readonly trials: Reruns;
}

/** The suite about some rules, with the probes that it needs. Default: in the names of the fixture. */
export function scenariosFor(
  rules: readonly string[] = ruleIds,
  names = new NamesThere(smallTeam().origin.world),
): Scenarios {
  const folders = defaultFolders(packageRoot());
  const suite = must(suiteFor(rules, folders));
  const probes = inWorld(probesFor(suite, must(loadProbes(folders))), names.world);
  const map = (some: typeof suite) => some.map(loaded => mapped(loaded, names));
  return { names, suite: map(suite), probes: map(probes), trials: new Map() };
}

export interface RunOptions {
  readonly run?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly isLossAccepted?: boolean;
  readonly patience?: Partial<Patience>;
  readonly say?: (text: string) => void;
}

export function simulatedTime(): Pick<Patience, 'now' | 'sleep'> {
  let time = 0;
  const sleep: Patience['sleep'] = async wait => {
    time += wait;
  };
  return { now: () => time, sleep };
}

export async function contextFor(
  asked: Target,
  { names, probes, suite }: Omit<Scenarios, 'trials'>,
  { run = RUN, signal = new AbortController().signal, isLossAccepted = false, patience, say }: RunOptions = {},
): Promise<RunContext> {
  const target = new PatientTarget(asked, { ...simulatedTime(), ...patience }, signal, say);
  const { context } = await prepareRun([...probes, ...suite], { target, names, run, signal }, isLossAccepted);
  return { ...context, absent: await absentFamilies(target, names, run) };
}

export interface Conformed extends Conformity {
  readonly left: readonly string[];
}

export async function conformed(
  target: Target,
  scenarios: Scenarios,
  rules: readonly string[] = ruleIds,
  options: RunOptions = {},
): Promise<Conformed> {
  const context = await contextFor(target, scenarios, options);
  const conformity = await conform(rules, scenarios, context, undefined, scenarios.trials);
  return { ...conformity, left: await context.state.restore() };
}

export function serverWith(change: Listed['change'] = {}, readings: SomeReadings = {}): FaultyServer {
  const begun = {
    world: smallTeam().origin.world,
    readings: chosenReadings({ readings }),
    now: new Date().toISOString(),
  };
  return new FaultyServer(begun, typeof change === 'function' ? change() : change);
}

export function rulesThat(judgement: Verdict['judgement'], { verdicts }: Pick<Conformity, 'verdicts'>): string[] {
  return verdicts.filter(one => one.judgement === judgement).map(({ rule }) => rule);
}
