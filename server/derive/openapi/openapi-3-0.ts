// An OpenAPI 3.1 document as OpenAPI 3.0, for generators that know no other.
import { isObject } from '../../domain/form/patch.js';
import type { DocumentPart } from './named-schemas.js';

/** The same document in OpenAPI 3.0.3. What that cannot say is left out: it accepts no less than the 3.1 document. */
export function asOpenapi30({ openapi: _, info, ...rest }: DocumentPart): DocumentPart {
  const { summary: __, license, ...about } = info as DocumentPart; // as both documents have it
  const { identifier, ...named } = license as DocumentPart;
  const url = `https://spdx.org/licenses/${identifier}.html`;
  return { openapi: '3.0.3', info: { ...about, license: { ...named, url } }, ...(converted(rest) as DocumentPart) };
}

/** `isByName`: the keys are names, not keywords. */
function converted(part: unknown, isByName = false): unknown {
  if (Array.isArray(part)) return part.map(element => converted(element));
  if (!isObject(part)) return part;
  if (!isByName && part.then !== undefined) {
    const { if: _, then, else: other, ...rest } = part;
    return { ...(converted(rest) as DocumentPart), anyOf: [converted(then), converted(other)] };
  }
  return Object.fromEntries(
    Object.entries(part).flatMap(([key, value]) => (isByName ? [[key, converted(value)]] : keyword(key, value))),
  );
}

/** What a keyword becomes. */
function keyword(key: string, value: unknown): ReadonlyArray<readonly [string, unknown]> {
  if (key === 'example' || key.startsWith('x-')) return [[key, value]];
  if (key === 'examples') return [Array.isArray(value) ? ['example', value[0]] : [key, value]]; // of a schema, or of a body
  if (key === 'unevaluatedProperties') return value === true ? [['additionalProperties', true]] : [];
  if (key === 'propertyNames' || key === 'patternProperties') return [];
  if (key === 'const') return [['enum', [value]]];
  if (key === 'exclusiveMinimum')
    return [
      ['minimum', value],
      [key, true],
    ];
  if (key === 'exclusiveMaximum')
    return [
      ['maximum', value],
      [key, true],
    ];
  if (key === 'type' && Array.isArray(value)) return oneType(value);
  return [[key, converted(value, key === 'properties')]];
}

/** 3.0 has one type, which may be nullable. */
function oneType(types: readonly unknown[]): ReadonlyArray<readonly [string, unknown]> {
  const others = types.filter(type => type !== 'null');
  const nullable = others.length < types.length ? ([['nullable', true]] as const) : [];
  return others.length === 1 ? [['type', others[0]], ...nullable] : nullable;
}
