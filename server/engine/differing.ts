// Where one JSON value differs from another, place by place. Knows nothing of what the values are.
import { isObject } from '../domain/form/patch.js';

export interface Differing {
  /** JSON pointer; empty where it is the whole. */
  readonly at: string;
  /** Absent: there was nothing there. */
  readonly was?: unknown;
  /** Absent: there would be nothing there. */
  readonly would?: unknown;
}

/** Each place at which `would` is another than `was`. A list of another length differs as a whole. */
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

/** A key as a step of a JSON pointer (RFC 6901). */
export function pointerTo(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
