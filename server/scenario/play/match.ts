// Whether a value is what a step expects, and each place where it is not. Pure; knows nothing of where values come from.
import { isObject } from '../../domain/patch.js';
import { spend, TooMuchEffort, withEffort } from '../effort.js';
import { finds } from '../pattern.js';
import { type Path, pointerOf } from '../problem.js';

/** One place at which something else was found. */
export interface Difference {
  /**
   * What was looked at: the connection, the status, the headers, the body, the world, what was proved, what was to be kept; or the request, which could
   * not be sent, and then the place is one in the step.
   */
  readonly of: 'request' | 'patch' | 'connection' | 'status' | 'headers' | 'body' | 'world' | 'proves' | 'capture';
  /** JSON pointer to the place in it; empty where it is the whole. */
  readonly pointer: string;
  readonly expected: unknown;
  /** `undefined`: there is nothing there. */
  readonly found: unknown;
  /** In words, without the place. */
  readonly says: string;
}

type Mismatch = Omit<Difference, 'of'>;

/** The same as `mismatches`, where what takes too much work is not as it is expected, and is told so. */
export function heldAgainst(expected: unknown, found: unknown, isPart = false, at: Path = []): Mismatch[] {
  try {
    return withEffort(() => mismatches(expected, found, isPart, at));
  } catch (error) {
    if (!(error instanceof TooMuchEffort)) throw error;
    return [
      {
        pointer: pointerOf(at),
        expected,
        found,
        says: `was not held against what is expected, which ${error.message}`,
      },
    ];
  }
}

/** Each place at which a value differs; `isPart`: objects may hold more than is expected, as a world does. Throws `TooMuchEffort`. */
export function mismatches(expected: unknown, found: unknown, isPart = false, at: Path = []): Mismatch[] {
  const one = (says: string): Mismatch[] => [{ pointer: pointerOf(at), expected, found, says }];
  if (isMatcher(expected)) return matched(expected, found, isPart, at);
  if (isObject(expected) && isObject(found)) return objectMismatches(expected, found, isPart, at);
  if (Array.isArray(expected) && Array.isArray(found)) {
    if (expected.length !== found.length) return one(`is ${counted(found)}, not ${counted(expected)}`);
    return expected.flatMap((element, i) => mismatches(element, found[i], isPart, [...at, i]));
  }
  if (expected === found) return [];
  return one(
    found === undefined
      ? `is not there, and should be ${shown(expected)}`
      : `is ${shown(found)}, not ${shown(expected)}`,
  );
}

function objectMismatches(
  expected: Readonly<Record<string, unknown>>,
  found: Readonly<Record<string, unknown>>,
  isPart: boolean,
  at: Path,
): Mismatch[] {
  const extra = isPart ? [] : Object.keys(found).filter(key => !Object.hasOwn(expected, key));
  return [
    ...Object.entries(expected).flatMap(([key, value]) =>
      mismatches(value, Object.hasOwn(found, key) ? found[key] : undefined, isPart, [...at, key]),
    ),
    ...extra.map(key => ({
      pointer: pointerOf([...at, key]),
      expected: undefined,
      found: found[key],
      says: `is ${shown(found[key])}, and nothing is expected here`,
    })),
  ];
}

type Matcher =
  | { readonly $any: string }
  | { readonly $match: string }
  | { readonly $contains: unknown }
  | { readonly $absent: true };

function isMatcher(value: unknown): value is Matcher {
  if (!isObject(value)) return false;
  const [key, ...more] = Object.keys(value);
  return more.length === 0 && (key === '$any' || key === '$match' || key === '$contains' || key === '$absent');
}

function matched(matcher: Matcher, found: unknown, isPart: boolean, at: Path): Mismatch[] {
  const unless = (holds: boolean, wanted: string): Mismatch[] =>
    holds
      ? []
      : [
          {
            pointer: pointerOf(at),
            expected: matcher,
            found,
            says: `${found === undefined ? 'is not there' : `is ${shown(found)}`}, and should ${wanted}`,
          },
        ];
  if ('$absent' in matcher) return unless(found === undefined, 'be absent');
  if ('$any' in matcher) return unless(isOfType(matcher.$any, found), `be ${anyOf[matcher.$any] ?? matcher.$any}`);
  if ('$match' in matcher)
    return unless(typeof found === 'string' && finds(matcher.$match, found), `match ${shown(matcher.$match)}`);
  return contained(matcher.$contains, found, isPart, at, unless);
}

function contained(
  wanted: unknown,
  found: unknown,
  isPart: boolean,
  at: Path,
  unless: (holds: boolean, wanted: string) => Mismatch[],
): Mismatch[] {
  if (Array.isArray(found) && !Array.isArray(wanted))
    return unless(
      false,
      `be ${isObject(wanted) ? 'an object' : 'a text'} with ${shown(wanted)} in it; of a list write $contains: [${shown(wanted)}]`,
    );
  if (typeof wanted === 'string')
    return unless(typeof found === 'string' && found.includes(wanted), `contain ${shown(wanted)}`);
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found)) return unless(false, `be a list with ${shown(wanted)} in it`);
    spend(COMPARISON * wanted.length * found.length);
    const missing = wanted.filter(element => !found.some(other => mismatches(element, other, isPart).length === 0));
    return unless(missing.length === 0, `contain ${missing.map(shown).join(' and ')}`);
  }
  if (!isObject(wanted) || !isObject(found)) return unless(false, `be an object with ${shown(wanted)} in it`);
  return Object.entries(wanted).flatMap(([key, value]) =>
    mismatches(value, Object.hasOwn(found, key) ? found[key] : undefined, isPart, [...at, key]),
  );
}

/** What it costs to compare two values, in the measure of effort. */
const COMPARISON = 4;

const anyOf: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
  value: 'there',
};

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'value':
      return value !== undefined;
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** A list; where it is too long to be seen whole, with how many elements it has. */
function counted(list: readonly unknown[]): string {
  const text = shown(list);
  return text.endsWith(']') ? text : `a list of ${list.length}: ${text}`;
}

const MOST_SHOWN = 200;

/** A value as JSON, cut where it is long. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}… (${text.length} characters)`;
}
