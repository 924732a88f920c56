// Reads the readings of a file for `--readings`.
import { isObject } from '../../domain/form/patch.js';
import { profileProblem } from '../../engine/request/readings.js';
import { isProfileName, type ReadingChoice } from '../../operations/gaps/profiles.js';
import { chosen } from '../checks/chosen-readings.js';
import { isProblems, type Problems, sortedProblems, type ValueError } from '../yaml/problem.js';
import { readSource } from '../yaml/source.js';

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
  if (problems.length > 0) return { problems: sortedProblems(problems) };
  return { ...(isProfileName(profile) && { profile }), readings };
}

function profileErrors(profile: unknown): ValueError[] {
  const problem = profile === undefined ? undefined : profileProblem(profile);
  if (problem === undefined) return [];
  return [{ path: ['profile'], of: 'value', message: `Unknown profile ${JSON.stringify(profile)}: ${problem}.` }];
}
