// Reads readings in a scenario, or in a file for `--readings`.
import { isObject } from '../../domain/form/patch.js';
import { checkReadings, profileProblem } from '../../engine/request/readings.js';
import { found } from '../../engine/request/validate.js';
import { isGapId, type SomeReadings } from '../../operations/gaps/gaps.js';
import { isProfileName, type ReadingChoice } from '../../operations/gaps/profiles.js';
import { inOrder, isProblems, type Path, type Problems, type ValueError } from '../yaml/problem.js';
import { readSource } from '../yaml/source.js';

interface Choice {
  readonly readings: SomeReadings;
  readonly errors: readonly ValueError[];
}

/** The readings of a flag that may be absent. */
export function readingsFrom(file: unknown): ReadingChoice | Problems {
  return typeof file === 'string' ? loadReadings(file) : { readings: {} };
}

/** Loads a file of readings: `gap: reading` on each line, and optionally `profile: name`. */
export function loadReadings(file: string): ReadingChoice | Problems {
  const source = readSource(file);
  if (isProblems(source)) return source;
  const { profile, ...pairs }: Readonly<Record<string, unknown>> = isObject(source.value) ? source.value : {};
  const { readings, errors } = chosen(isObject(source.value) ? pairs : (source.value ?? {}), []);
  const problems = [...source.slips, ...[...profileErrors(profile), ...errors].map(source.problem)];
  if (problems.length > 0) return { problems: inOrder(problems) };
  return { ...(isProfileName(profile) && { profile }), readings };
}

function profileErrors(profile: unknown): ValueError[] {
  const problem = profile === undefined ? undefined : profileProblem(profile);
  if (problem === undefined) return [];
  return [{ path: ['profile'], of: 'value', message: `Unknown profile ${JSON.stringify(profile)}: ${problem}.` }];
}

/** The readings of a mapping at a path, with the errors. */
export function chosen(value: unknown, at: Path): Choice {
  if (!isObject(value)) {
    return {
      readings: {},
      errors: [{ path: at, message: `Readings must be written as gap: reading, but this is ${found(value)}.` }],
    };
  }
  const errors: ValueError[] = [];
  const readings = Object.entries(value).flatMap(([gap, reading]) => {
    const path = [...at, gap];
    if (isGapId(gap) && typeof reading !== 'string' && typeof reading !== 'number') {
      errors.push({ path, message: `${gap} must be one of its readings, and it is ${found(reading)}.` });
      return [];
    }
    const checked = checkReadings([[gap, reading]]);
    if (!('problem' in checked)) return Object.entries(checked.readings);
    errors.push({ path, of: isGapId(gap) ? 'value' : 'key', message: checked.problem });
    return [];
  });
  return { readings: Object.fromEntries(readings) as SomeReadings, errors }; // each has been checked
}
