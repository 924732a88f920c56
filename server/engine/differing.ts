// The differences between two JSON values.

import { isObject } from '../domain/form/patch.js';
import { pointerTo } from '../domain/json/json-pointer.js';

export interface Differing {
  /** JSON pointer; empty for the whole. */
  readonly at: string;
  /** Absent: there was no value. */
  readonly was?: unknown;
  /** Absent: there would be no value. */
  readonly wouldBe?: unknown;
}

/** Each difference. Lists of different length differ as a whole. */
export function differences(was: unknown, wouldBe: unknown, at = ''): Differing[] {
  if (Array.isArray(was) && Array.isArray(wouldBe) && was.length === wouldBe.length)
    return was.flatMap((element, i) => differences(element, wouldBe[i], `${at}/${i}`));
  if (isObject(was) && isObject(wouldBe))
    return [...new Set([...Object.keys(was), ...Object.keys(wouldBe)])].flatMap(key =>
      differences(own(was, key), own(wouldBe, key), `${at}${pointerTo(key)}`),
    );
  if (was === wouldBe || JSON.stringify(was) === JSON.stringify(wouldBe)) return [];
  return [{ at, ...(was !== undefined && { was }), ...(wouldBe !== undefined && { wouldBe }) }];
}

function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
