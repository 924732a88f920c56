// The differences between two JSON values.

import { isObject } from '../domain/form/patch.js';
import { pointerTo } from '../domain/json/json-pointer.js';

export interface Differing {
  /** JSON pointer; empty for the whole. */
  readonly at: string;
  /** Absent: there was no value. */
  readonly was?: unknown;
  /** Absent: there would be no value. */
  readonly would?: unknown;
}

/** Each difference. Lists of different length differ as a whole. */
export function differences(was: unknown, would: unknown, at = ''): Differing[] {
  if (Array.isArray(was) && Array.isArray(would) && was.length === would.length)
    return was.flatMap((element, i) => differences(element, would[i], `${at}/${i}`));
  if (isObject(was) && isObject(would))
    return [...new Set([...Object.keys(was), ...Object.keys(would)])].flatMap(key =>
      differences(own(was, key), own(would, key), `${at}${pointerTo(key)}`),
    );
  if (was === would || JSON.stringify(was) === JSON.stringify(would)) return [];
  return [{ at, ...(was !== undefined && { was }), ...(would !== undefined && { would }) }];
}

function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
