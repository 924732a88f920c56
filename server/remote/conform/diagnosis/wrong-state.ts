// Which part of the state that a step sees is not what a correct server shows, and whether it was so before the step. Judges nothing.
import { isObject } from '../../../domain/form/patch.js';
import type { Played } from '../../../scenario/play/player.js';

/** The steps that see nothing wrong but what was wrong before them. */
export function carriedIn(played: readonly Played[], right: ReadonlyMap<number, Played>): ReadonlySet<number> {
  const found = new Set<number>();
  const earlier = new Set<string>();
  for (const one of played) {
    const wrong = wrongIn(one, right.get(one.index));
    if (wrong.size > 0 && [...wrong].every(each => earlier.has(each))) found.add(one.index);
    for (const each of wrong) earlier.add(each);
  }
  return found;
}

/** Each value that one of two states has and the other has not, with its place, as one text. Only where the step expects something else. */
export function wrongIn({ seen, differences }: Played, reference: Played | undefined): ReadonlySet<string> {
  const [here, right] = [valuesIn(seen), valuesIn(reference?.seen)];
  const places = differences.map(({ pointer }) => pointer.replace(/\/\d+$/, ''));
  const wrong = [...here].filter(one => !right.has(one)).concat([...right].filter(one => !here.has(one)));
  return new Set(wrong.filter(one => places.some(place => one.startsWith(place))));
}

function valuesIn(seen: Played['seen']): ReadonlySet<string> {
  return new Set([...(seen ?? [])].flatMap(([place, { value }]) => leaves(value, `/${place}`)));
}

/** The order of a list does not matter. */
function leaves(value: unknown, place: string): string[] {
  if (Array.isArray(value)) return value.map(one => `${place} ${JSON.stringify(one)}`);
  if (isObject(value)) return Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${place}/${name}`));
  return [`${place} ${JSON.stringify(value)}`];
}
