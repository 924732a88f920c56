// Finds out the readings of a server, plays the suite there, explains what failed, and judges each rule.
import { basename } from 'node:path';
import type { SomeReadings } from '../../server/operations/gaps/gaps.js';
import { calibrate } from '../calibrate/calibrate.js';
import type { Mapped } from '../names/mapped-steps.js';
import type { RunContext } from '../run/run-context.js';
import { type Diagnosis, diagnose, type Reruns } from './diagnosis.js';
import { playSuite, type SuiteRun } from './suite-run.js';
import { type Verdict, verdictsOn } from './verdicts.js';

export interface Conformity extends Pick<SuiteRun, 'unstable' | 'ended'>, Pick<Diagnosis, 'explanations'> {
  readonly verdicts: readonly Verdict[];
  readonly readings: SomeReadings;
}

/** `onStart`: called with the name of each scenario. `trials`: as for `diagnose`. Rejects with `Unreachable` if the server has gone before the suite begins. */
export async function conform(
  wanted: readonly string[],
  { probes, suite }: { readonly probes: readonly Mapped[]; readonly suite: readonly Mapped[] },
  context: RunContext,
  onStart: (name: string) => void = () => {},
  trials?: Reruns,
): Promise<Conformity> {
  const { findings, readings } = await calibrate(probes, context, { onProbe: onStart });
  const likeliest = findings.flatMap(one => ('likeliest' in one ? [[one.gap, one.likeliest]] : []));
  context.state.known = { ...readings, ...(Object.fromEntries(likeliest) as SomeReadings) }; // each is a reading of its gap
  const { files, unstable, ended } = await playSuite(suite, context, file => onStart(basename(file, '.yaml')));
  const { names, run, served, alike, target } = context;
  const options = { names, run, served, alike, known: context.state.known, context: target.context };
  const diagnosis = unstable === undefined ? await diagnose(files, options, trials) : { explanations: [], failed: [] };
  const verdicts = verdictsOn(wanted, files, unstable, diagnosis, context.state.known);
  const { explanations } = diagnosis;
  return {
    verdicts,
    readings,
    explanations,
    ...(unstable !== undefined && { unstable }),
    ...(ended !== undefined && { ended }),
  };
}
