// What came of a request, held against what a step expects: the answer, the world, what it proves, what it keeps.
// Knows targets only by their port.
import { collectionNames } from '../../domain/form/form.js';
import type { CollectionName } from '../../domain/form/form-shapes.js';
import { isObject } from '../../domain/form/patch.js';
import { isSecretField } from '../../engine/journal/secrets.js';
import { nestingProblem } from '../../engine/request/nesting.js';
import type { Expectation, Step } from '../format/step-format.js';
import { pathOf } from '../yaml/problem.js';
import { valueAt } from './captures.js';
import { type Difference, heldAgainst } from './match.js';
import { shown } from './shown.js';
import type { Insight, Received, SandboxControl, SeenRecord, WorldView } from './target.js';

/** The body of an answer: JSON where it is some and none too deep to be compared, else its text; `undefined` where there is none. */
export function bodyOf({ text }: Pick<Received, 'text'>): unknown {
  if (text === '') return undefined;
  if (nestingProblem(text) !== undefined) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text; // it is no JSON, so the text is what there is
  }
}

/** Whether an answer came whole, where that is not what is expected. `broken`: how it ended before; `undefined`: it came. */
export function connectionDifferences(
  expect: Expectation | undefined,
  received: Received | undefined,
  broken: string | undefined,
  insight: Insight | undefined,
): Difference[] {
  const one = (expected: string, found: string, says: string) => [
    { of: 'connection' as const, pointer: '', expected, found, says },
  ];
  if (broken !== undefined && expect?.connection === undefined) {
    const why = insight?.fault === undefined ? '' : `, by the fault ${insight.fault}`;
    return one('whole', 'broken', `is broken${why}: ${broken}`);
  }
  if (received !== undefined && expect?.connection !== undefined)
    return one('broken', 'whole', `is not broken: the answer came whole, with the status ${received.status}`);
  return [];
}

/** Each way in which an answer is not what is expected. `isPart`: its body may have more fields. */
export function answerDifferences(expect: Expectation | undefined, received: Received, isPart = false): Difference[] {
  if (expect === undefined) return [];
  const { status, headers = {} } = expect;
  return [
    ...statusDifferences(status, received.status),
    ...Object.entries(headers).flatMap(([name, value]) =>
      heldAgainst(value, headerOf(received, name), false, [name]).map(one => ({
        ...one,
        of: 'headers' as const,
      })),
    ),
    ...(Object.hasOwn(expect, 'body')
      ? heldAgainst(expect.body, bodyOf(received), isPart).map(one => ({ ...one, of: 'body' as const }))
      : []),
  ];
}

function headerOf({ headers }: Received, name: string): string | undefined {
  const known = name.toLowerCase();
  return Object.hasOwn(headers, known) ? headers[known] : undefined;
}

function statusDifferences(expected: unknown, found: number): Difference[] {
  if (expected === undefined) return [];
  const isClass = typeof expected === 'string' && /^[1-5]XX$/.test(expected);
  if (isClass) {
    if (String(found).startsWith(expected.charAt(0))) return [];
    return [{ of: 'status', pointer: '', expected, found, says: `is ${found}, not one of ${expected}` }];
  }
  const written = isObject(expected) && '$match' in expected ? String(found) : found; // a pattern is for text
  return heldAgainst(expected, written).map(one => ({ ...one, of: 'status' as const }));
}

/** Each way in which the world is not what `then` says, which speaks only of a part of it. */
export async function worldDifferences(then: unknown, control: SandboxControl): Promise<Difference[]> {
  if (!isObject(then)) return [];
  const found: Difference[] = [];
  for (const [name, expected] of Object.entries(then)) {
    const collection = collectionNames.find(known => known === name);
    if (collection === undefined) {
      const part = await control.part(name as 'licence' | 'nextPageId'); // the schema of `then` has no others
      found.push(...heldAgainst(expected, part, true, [name]).map(one => ({ ...one, of: 'world' as const })));
    } else if (isObject(expected)) {
      for (const [key, record] of Object.entries(expected)) {
        const held = await control.record(collection, key);
        found.push(...recordDifferences(record, held, [name, key]));
      }
    }
  }
  return found;
}

/** What was seen of the world, by collection and key as in `groups/customers`. */
export type Seen = ReadonlyMap<string, SeenRecord>;

/** Looks at each record that any of these speaks of. */
export async function look(thens: readonly unknown[], view: WorldView): Promise<Seen> {
  const places = new Map(thens.flatMap(recordsIn).map(one => [`${one.name}/${one.key}`, one]));
  const found = [...places].map(async ([place, { name, key }]) => [place, await view.see(name, key)] as const);
  return new Map((await Promise.all(found)).flatMap(([place, seen]) => (seen === undefined ? [] : [[place, seen]])));
}

/** Each way in which what was seen is not what `then` says; of what could not be seen nothing. */
export function seenDifferences(then: unknown, seen: Seen): Difference[] {
  return recordsIn(then).flatMap(({ name, key, expected }) => {
    const found = seen.get(`${name}/${key}`);
    if (found === undefined) return [];
    const { value } = found;
    const visible =
      isObject(expected) && isObject(value)
        ? Object.fromEntries(
            Object.entries(expected).filter(([field]) => field.startsWith('$') || Object.hasOwn(value, field)),
          )
        : expected;
    return heldAgainst(visible, value, true, [name, key]).map(one => ({ ...one, of: 'world' as const }));
  });
}

interface RecordIn {
  readonly name: CollectionName;
  readonly key: string;
  readonly expected: unknown;
}

function recordsIn(then: unknown): RecordIn[] {
  if (!isObject(then)) return [];
  return collectionNames.flatMap(name => {
    const records = then[name];
    return isObject(records) ? Object.entries(records).map(([key, expected]) => ({ name, key, expected })) : [];
  });
}

/** The rules that a step has proved by its own answer; an answer that a fault has put in place proves nothing. */
export function provedBy({ proves = [] }: Pick<Step, 'proves'>, insight: Insight | undefined): string[] {
  return insight === undefined || insight.fault !== undefined
    ? []
    : proves.filter(rule => insight.rules.includes(rule));
}

/** Of a user the password and the token are compared like anything else, and never told. */
function recordDifferences(
  expected: unknown,
  held: unknown,
  at: readonly [collection: string, key: string],
): Difference[] {
  const differences = heldAgainst(expected, held, true, at).map(one => ({ ...one, of: 'world' as const }));
  if (at[0] !== 'users') return differences;
  return differences.map(difference => {
    const [, , field = ''] = pathOf(difference.pointer);
    if (isSecretField(field))
      return { ...difference, expected: undefined, found: undefined, says: 'is not what is expected' };
    if (!isObject(difference.found)) return difference;
    const known = Object.fromEntries(Object.entries(difference.found).filter(([name]) => !isSecretField(name)));
    const says = difference.says.replace(shown(difference.found), shown(known));
    return { ...difference, found: known, says };
  });
}

/** Each rule that a step is to prove and that neither applied to its answer nor was proved before, so that this could show its effect. */
export function proofDifferences(
  proves: readonly string[],
  insight: Insight | undefined,
  before: ReadonlySet<string>,
): Difference[] {
  const { rules, fault }: Pick<Insight, 'rules' | 'fault'> = insight ?? { rules: [] };
  const only =
    insight === undefined
      ? 'and the journal has no entry of the request'
      : rules.length === 0
        ? 'nor did any other rule'
        : `only ${rules.join(', ')}`;
  return proves
    .filter(rule => fault !== undefined || !(rules.includes(rule) || before.has(rule)))
    .map(rule => ({
      of: 'proves' as const,
      pointer: '',
      expected: rule,
      found: rules,
      says: fault === undefined ? `${rule} did not apply, ${only}` : `${rule} is not proved by the fault ${fault}`,
    }));
}

/** The values that a step keeps of a body, and each that is not there to be kept. */
export function captured(
  capture: Readonly<Record<string, string>>,
  body: unknown,
): { readonly values: ReadonlyMap<string, unknown>; readonly differences: Difference[] } {
  const values = new Map<string, unknown>();
  const differences: Difference[] = [];
  for (const [name, pointer] of Object.entries(capture)) {
    const value = valueAt(body, pointer);
    if (value === undefined)
      differences.push({
        of: 'capture',
        pointer,
        expected: name,
        found: body,
        says: `holds nothing to keep as ${name}; the body is ${shown(body)}`,
      });
    else values.set(name, value);
  }
  return { values, differences };
}
