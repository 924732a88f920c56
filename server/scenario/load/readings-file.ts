// Readings as they stand in files: in a scenario, or in a file of their own for `--readings`.
// Knows no gap: the ledger says what there is.
import { isObject } from '../../domain/form/patch.js';
import { checkReadings, profileProblem } from '../../engine/request/readings.js';
import { found } from '../../engine/request/validate.js';
import { isGapId, type SomeReadings } from '../../operations/gaps/gaps.js';
import { isProfileName, type ReadingChoice } from '../../operations/gaps/profiles.js';
import { type Flaw, inOrder, isProblems, type Path, type Problems } from '../yaml/problem.js';
import { readSource } from '../yaml/source.js';

interface Choice {
  readonly readings: SomeReadings;
  readonly flaws: readonly Flaw[];
}

/** Loads a file of readings, `gap: reading` on each line, and `profile: name` where it stands on one. */
export function loadReadings(file: string): ReadingChoice | Problems {
  const source = readSource(file);
  if (isProblems(source)) return source;
  const { profile, ...pairs }: Readonly<Record<string, unknown>> = isObject(source.value) ? source.value : {};
  const { readings, flaws } = chosen(isObject(source.value) ? pairs : (source.value ?? {}), []);
  const problems = [...source.slips, ...[...profileFlaws(profile), ...flaws].map(source.problem)];
  if (problems.length > 0) return { problems: inOrder(problems) };
  return { ...(isProfileName(profile) && { profile }), readings };
}

function profileFlaws(profile: unknown): Flaw[] {
  const problem = profile === undefined ? undefined : profileProblem(profile);
  if (problem === undefined) return [];
  return [{ path: ['profile'], of: 'value', message: `There is no profile ${JSON.stringify(profile)}: ${problem}.` }];
}

/** The readings of a mapping that stands at a path, and what is wrong with each. */
export function chosen(value: unknown, at: Path): Choice {
  if (!isObject(value)) {
    return {
      readings: {},
      flaws: [{ path: at, message: `Readings are written as gap: reading, and this is ${found(value)}.` }],
    };
  }
  const flaws: Flaw[] = [];
  const readings = Object.entries(value).flatMap(([gap, reading]) => {
    const path = [...at, gap];
    if (isGapId(gap) && typeof reading !== 'string' && typeof reading !== 'number') {
      flaws.push({ path, message: `${gap} must be one of its readings, and it is ${found(reading)}.` });
      return [];
    }
    const checked = checkReadings([[gap, reading]]);
    if (!('problem' in checked)) return Object.entries(checked.readings);
    flaws.push({ path, of: isGapId(gap) ? 'value' : 'key', message: checked.problem });
    return [];
  });
  return { readings: Object.fromEntries(readings) as SomeReadings, flaws }; // each has been checked
}
