// Compares a value with the expectation of a step, and finds each difference. Pure.
import * as Type from '@sinclair/typebox';
import { isObject } from '../../domain/form/patch.js';
import { type Path, pointerOf } from '../../domain/json/json-pointer.js';
import { parsedJson } from '../../domain/json/parsed-json.js';
import { oneOf, type Shape } from '../../domain/json/shape.js';
import { Meter, Needle } from '../../domain/search.js';
import { nestingProblem } from '../request/nesting.js';
import { BudgetExceeded, budgetLeft, consume, withinBudget } from './budget.js';
import { finds } from './pattern.js';
import { listedValues, listText, valueText } from './value-text.js';

/** @internal */
export const differenceSchema = Type.Object(
  {
    of: oneOf(['request', 'patch', 'connection', 'status', 'headers', 'body', 'world', 'proves', 'capture'], {
      description: 'What was compared; request: it could not be sent.',
    }),
    pointer: Type.String({ description: 'Place in the response or the world; for a request, place in the step.' }),
    expected: Type.Optional(Type.Unknown()),
    found: Type.Optional(Type.Unknown({ description: 'Absent: there is nothing.' })),
    says: Type.String({ description: 'The difference in words, without its place.' }),
  },
  { title: 'StepDifference' },
);
export type MatchDifference = Shape<typeof differenceSchema>;

export interface Mismatch extends Omit<MatchDifference, 'of'> {
  /** Number of further differences that this one stands for. */
  readonly others?: number;
}

/** Further differences are only counted. */
const MAX_REPORTED = 100;

/** The body of a message as it is compared: JSON unless it is too deep, else text; `undefined` if there is none. */
export function bodyOf({ text }: { readonly text: string }): unknown {
  if (text === '') return undefined;
  return nestingProblem(text) === undefined ? parsedJson(text, text) : text;
}

/** Reports an expensive comparison as a difference, so that no pattern can stall a run. */
export function boundedMismatches(expected: unknown, found: unknown, isPart = false, at: Path = []): Mismatch[] {
  try {
    return withinBudget(() => mismatches(expected, found, isPart, at));
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    return [
      {
        pointer: pointerOf(at),
        expected,
        found,
        says: `was not compared: the expectation ${error.message}`,
      },
    ];
  }
}

/** Each difference, up to a limit; `isPart`: objects may have more fields than expected, as a world does. Throws `BudgetExceeded`. */
export function mismatches(expected: unknown, found: unknown, isPart = false, at: Path = []): Mismatch[] {
  const comparison = new Comparison(isPart, [...at], MAX_REPORTED);
  comparison.compare(expected, found);
  const others = comparison.count - comparison.listed.length;
  if (others === 0) return comparison.listed;
  const says = `differs in ${others} more places`;
  return [...comparison.listed, { pointer: pointerOf(at), expected: undefined, found: undefined, says, others }];
}

/** Whether a value is as expected. Builds no messages. Throws `BudgetExceeded`. */
function fits(expected: unknown, found: unknown, isPart = false): boolean {
  const comparison = new Comparison(isPart, [], 0);
  comparison.compare(expected, found);
  return comparison.count === 0;
}

/** Steps for comparing two values. */
const COMPARISON = 4;
/** Characters of two equal texts compared in one step. */
const COMPARED = 16;

class Comparison {
  readonly listed: Mismatch[] = [];
  count = 0;

  /** `at`: the current place; it changes during the comparison. `most`: 0 stops at the first difference. */
  constructor(
    private readonly isPart: boolean,
    private readonly at: (string | number)[],
    private readonly most: number,
  ) {}

  compare(expected: unknown, found: unknown): void {
    consume(COMPARISON + (typeof expected === 'string' ? expected.length / COMPARED : 0));
    if (isMatcher(expected)) this.#match(expected, found);
    else if (isObject(expected) && isObject(found)) this.#compareObjects(expected, found);
    else if (Array.isArray(expected) && Array.isArray(found)) this.#compareLists(expected, found);
    else if (expected !== found)
      this.#tell(expected, found, () =>
        found === undefined
          ? `is missing, but should be ${valueText(expected)}`
          : `is ${valueText(found)}, not ${valueText(expected)}`,
      );
  }

  get #isOver(): boolean {
    return this.most === 0 && this.count > 0;
  }

  #tell(expected: unknown, found: unknown, says: () => string): void {
    this.count += 1;
    if (this.listed.length < this.most)
      this.listed.push({ pointer: pointerOf(this.at), expected, found, says: says() });
  }

  #compareAt(step: string | number, expected: unknown, found: unknown): void {
    this.at.push(step);
    this.compare(expected, found);
    this.at.pop();
  }

  #compareLists(expected: readonly unknown[], found: readonly unknown[]): void {
    if (expected.length !== found.length)
      this.#tell(expected, found, () => `is ${listText(found)}, not ${listText(expected)}`);
    else for (let i = 0; i < expected.length && !this.#isOver; i += 1) this.#compareAt(i, expected[i], found[i]);
  }

  #compareObjects(expected: Readonly<Record<string, unknown>>, found: Readonly<Record<string, unknown>>): void {
    this.#compareFields(expected, found);
    if (this.isPart || this.#isOver) return;
    for (const key of Object.keys(found)) {
      consume(COMPARISON);
      if (Object.hasOwn(expected, key)) continue;
      this.at.push(key);
      this.#tell(undefined, found[key], () => `is ${valueText(found[key])}, but nothing is expected here`);
      this.at.pop();
    }
  }

  #compareFields(expected: Readonly<Record<string, unknown>>, found: Readonly<Record<string, unknown>>): void {
    for (const key of Object.keys(expected)) {
      if (this.#isOver) return;
      this.#compareAt(key, expected[key], Object.hasOwn(found, key) ? found[key] : undefined);
    }
  }

  #match(matcher: Matcher, found: unknown): void {
    const must = (holds: boolean, wanted: () => string) => {
      if (holds) return;
      this.#tell(
        matcher,
        found,
        () => `${found === undefined ? 'is missing' : `is ${valueText(found)}`}, but should ${wanted()}`,
      );
    };
    if ('$absent' in matcher) must(found === undefined, () => 'be absent');
    else if ('$any' in matcher) {
      const [words, fits] = anyOf[matcher.$any] ?? [matcher.$any, () => false];
      must(fits(found), () => `be ${words}`);
    } else if ('$match' in matcher)
      must(typeof found === 'string' && finds(matcher.$match, found), () => `match ${valueText(matcher.$match)}`);
    else this.#contain(matcher.$contains, found, must);
  }

  #contain(wanted: unknown, found: unknown, must: (holds: boolean, wanted: () => string) => void): void {
    if (Array.isArray(found) && !Array.isArray(wanted))
      must(
        false,
        () =>
          `be ${isObject(wanted) ? 'an object' : 'a text'} that contains ${valueText(wanted)}(for a list, write $contains: [${valueText(wanted)}])`,
      );
    else if (typeof wanted === 'string')
      must(typeof found === 'string' && holdsText(found, wanted), () => `contain ${valueText(wanted)}`);
    else if (Array.isArray(wanted)) this.#containElements(wanted, found, must);
    else if (!isObject(wanted) || !isObject(found))
      must(false, () => `be an object that contains ${valueText(wanted)}`);
    else this.#compareFields(wanted, found);
  }

  #containElements(
    wanted: readonly unknown[],
    found: unknown,
    must: (holds: boolean, wanted: () => string) => void,
  ): void {
    const isList = Array.isArray(found);
    const missing = isList ? wanted.filter(element => !found.some(other => fits(element, other, this.isPart))) : [];
    if (isList) must(missing.length === 0, () => `contain ${listedValues(missing)}`);
    else must(false, () => `be a list that contains ${valueText(wanted)}`);
  }
}

function holdsText(text: string, wanted: string): boolean {
  if (wanted === '' || wanted.length > text.length) return wanted === '';
  const meter = new Meter(budgetLeft());
  const isThere = new Needle(wanted, meter).indexIn(text) !== -1;
  consume(meter.steps);
  return isThere;
}

type Matcher =
  | { readonly $any: string }
  | { readonly $match: string }
  | { readonly $contains: unknown }
  | { readonly $absent: true };

function isMatcher(value: unknown): value is Matcher {
  if (!isObject(value)) return false;
  let only: string | undefined;
  for (const key in value) {
    if (only !== undefined) return false;
    only = key;
  }
  return only === '$any' || only === '$match' || only === '$contains' || only === '$absent';
}

/** What `$any` can ask for, with its words. */
const anyOf: Readonly<Record<string, readonly [words: string, fits: (value: unknown) => boolean]>> = {
  string: ['a text', value => typeof value === 'string'],
  number: ['a number', value => typeof value === 'number'],
  integer: ['a whole number', Number.isInteger],
  boolean: ['true or false', value => typeof value === 'boolean'],
  array: ['a list', Array.isArray],
  object: ['an object', isObject],
  null: ['null', value => value === null],
  value: ['there', value => value !== undefined],
};
