// The differences between two JSON values.

import * as Type from '@sinclair/typebox';
import { isObject } from '../domain/form/patch.js';
import { pointerTo } from '../domain/json/json-pointer.js';
import type { Shape } from '../domain/json/shape.js';

/** @internal */
export const differingSchema = Type.Object({
  at: Type.String({ description: 'JSON pointer; empty for the whole.' }),
  was: Type.Optional(Type.Unknown({ description: 'Absent: there was no value.' })),
  wouldBe: Type.Optional(Type.Unknown({ description: 'Absent: there would be no value.' })),
});
export type Differing = Shape<typeof differingSchema>;

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
