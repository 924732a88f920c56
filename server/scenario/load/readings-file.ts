// Readings as they stand in files: in a scenario, or in a file of their own for `--readings`.
// Knows no gap: the ledger says what there is.
import { isObject } from '../../domain/patch.js';
import { checkReadings } from '../../engine/request/readings.js';
import { found } from '../../engine/request/validate.js';
import { isGapId, type SomeReadings } from '../../operations/gaps.js';
import { type Flaw, inOrder, isProblems, type Path, type Problems } from '../yaml/problem.js';
import { readSource } from '../yaml/source.js';

interface Choice {
  readonly readings: SomeReadings;
  readonly flaws: readonly Flaw[];
}

/** Loads a file of readings, `gap: reading` on each line. */
export function loadReadings(file: string): { readonly readings: SomeReadings } | Problems {
  const source = readSource(file);
  if (isProblems(source)) return source;
  const { readings, flaws } = chosen(source.value ?? {}, []);
  const problems = [...source.slips, ...flaws.map(source.problem)];
  return problems.length > 0 ? { problems: inOrder(problems) } : { readings };
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
