// The readings that a scenario, one of its steps or a file of readings chooses, with their errors.

import { isObject } from '../../domain/form/patch.js';
import type { Path } from '../../domain/json/json-pointer.js';
import { checkReadings } from '../../engine/request/readings.js';
import { found } from '../../engine/request/validate.js';
import { isGapId, type SomeReadings } from '../../operations/gaps/gaps.js';
import type { ValueError } from '../yaml/problem.js';

interface Choice {
  readonly readings: SomeReadings;
  readonly errors: readonly ValueError[];
}

/** The readings of a mapping at a path, with the errors. */
export function chosen(value: unknown, at: Path): Choice {
  if (!isObject(value)) {
    return {
      readings: {},
      errors: [{ path: at, message: `Readings must be written as gap: reading, not as ${found(value)}.` }],
    };
  }
  const errors: ValueError[] = [];
  const readings = Object.entries(value).flatMap(([gap, reading]) => {
    const path = [...at, gap];
    if (isGapId(gap) && typeof reading !== 'string' && typeof reading !== 'number') {
      errors.push({ path, message: `${gap} must be the name of a reading, not ${found(reading)}.` });
      return [];
    }
    const checked = checkReadings([[gap, reading]]);
    if (!('problem' in checked)) return Object.entries(checked.readings);
    errors.push({ path, of: isGapId(gap) ? 'value' : 'key', message: checked.problem });
    return [];
  });
  return { readings: Object.fromEntries(readings) as SomeReadings, errors }; // each has been checked
}
