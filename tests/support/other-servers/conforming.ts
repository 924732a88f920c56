// A whole run of conform without command line and network: what is planned once can be played on any number of targets.
// Knows no rules.

import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { probesFor } from '../../../server/remote/calibrate/knowledge.js';
import { loadProbes } from '../../../server/remote/calibrate/probes.js';
import { type Planned, planOf } from '../../../server/remote/changes/plan.js';
import { OwnServer } from '../../../server/remote/conform/diagnosis/own-server.js';
import { examine } from '../../../server/remote/conform/examine.js';
import { ruleIds, suiteFor } from '../../../server/remote/conform/suite.js';
import { type Verdict, verdictsOn } from '../../../server/remote/conform/verdicts.js';
import { NamesThere } from '../../../server/remote/names/name-map.js';
import { NOTHING, shownBy } from '../../../server/remote/target/host-view.js';
import { withRetries } from '../../../server/remote/target/retrying-target.js';
import { defaultFolders } from '../../../server/scenario/load/folders.js';
import { loadNamed } from '../../../server/scenario/load/load.js';
import type { Target } from '../../../server/scenario/play/target.js';
import { isProblems, type Problems } from '../../../server/scenario/yaml/problem.js';

export const RUN = 'TEST01';

export interface Prepared {
  readonly names: NamesThere;
  readonly suite: readonly Planned[];
  readonly probes: readonly Planned[];
  /** What it says of a server that keeps every rule is the same for every target, and found out once. */
  readonly own: OwnServer;
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
    own: new OwnServer({ names, run: RUN }),
  };
}

export interface Conformed {
  readonly verdicts: readonly Verdict[];
  readonly known: SomeReadings;
  readonly left: readonly string[];
}

/** Finds out the readings of a target, plays the suite there, and judges. */
export async function conformed(
  asked: Target,
  { names, suite, probes, own }: Prepared,
  rules: readonly string[] = ruleIds,
  isReadingBack = false,
): Promise<Conformed> {
  const target = withRetries(asked);
  const shown = isReadingBack ? await shownBy({ target, names, run: RUN }) : NOTHING;
  const { signal } = new AbortController();
  const { known, cleanups, played, ended } = await examine({ probes, suite }, target, {
    names,
    run: RUN,
    signal,
    own,
    shown,
  });
  if (ended !== undefined) throw ended;
  if (played === undefined) throw new Error('the suite was not played');
  if (played.run.ended instanceof Error) throw played.run.ended;
  return {
    verdicts: verdictsOn(rules, played.run.files, names.admin, played.controls),
    known,
    left: cleanups.flatMap(({ left }) => left),
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
