// A whole run of conform without command line and network: what is planned once can be played on any number of targets.
// Knows no rules.

import type { SomeReadings } from '../../server/operations/gaps.js';
import { loadProbes } from '../../server/remote/calibrate/probes.js';
import { knowledgeOf, probesFor } from '../../server/remote/conform/knowledge.js';
import { playSuite } from '../../server/remote/conform/play-suite.js';
import { controlsOf } from '../../server/remote/conform/reference.js';
import { ruleIds, suiteFor } from '../../server/remote/conform/suite.js';
import { type Verdict, verdictsOn } from '../../server/remote/conform/verdicts.js';
import { NamesThere } from '../../server/remote/name-map.js';
import { type Planned, planOf } from '../../server/remote/plan.js';
import { defaultFolders } from '../../server/scenario/load/folders.js';
import { loadNamed } from '../../server/scenario/load/load.js';
import type { Target } from '../../server/scenario/play/target.js';
import { isProblems, type Problems } from '../../server/scenario/yaml/problem.js';

export const RUN = 'TEST01';

export interface Prepared {
  readonly names: NamesThere;
  readonly suite: readonly Planned[];
  readonly probes: readonly Planned[];
}

/** The suite about some rules, with every probe, in the names of the fixture. */
export async function prepared(rules: readonly string[] = ruleIds): Promise<Prepared> {
  const folders = defaultFolders(process.cwd());
  const names = new NamesThere(valid(loadNamed('small-team', folders)).origin.world);
  const suite = valid(suiteFor(rules, folders));
  return {
    names,
    suite: valid(await planOf(suite, names, RUN)),
    probes: valid(await planOf(probesFor(suite, valid(loadProbes(folders)), names.world), names, RUN)),
  };
}

export interface Conformed {
  readonly verdicts: readonly Verdict[];
  readonly known: SomeReadings;
  readonly left: readonly string[];
}

/** Finds out the readings of a target, plays the suite there, and judges. */
export async function conformed(
  target: Target,
  { names, suite, probes }: Prepared,
  rules: readonly string[] = ruleIds,
): Promise<Conformed> {
  const { signal } = new AbortController();
  const { known, cleanup, ended } = await knowledgeOf(probes, target, { names, run: RUN, signal });
  if (ended !== undefined) throw ended;
  const run = await playSuite(suite, { target, names, known, run: RUN, signal });
  if (run.ended instanceof Error) throw run.ended;
  const controls = await controlsOf(suite, run.files, { known, names, run: RUN });
  return {
    verdicts: verdictsOn(rules, run.files, names.admin, controls),
    known,
    left: [...cleanup.left, ...run.cleanup.left],
  };
}

/** The rules that a judgement is passed on. */
export function rulesThat(judgement: Verdict['judgement'], { verdicts }: Conformed): string[] {
  return verdicts.filter(one => one.judgement === judgement).map(({ rule }) => rule);
}

function valid<T extends object>(value: T | Problems): T {
  if (isProblems(value)) throw new Error(JSON.stringify(value.problems));
  return value;
}
