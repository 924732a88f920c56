// Compares the result of a request with the expectations of a step: response, world, proven rules, captured values.

import { collectionNames } from '../../domain/form/form.js';
import type { CollectionName } from '../../domain/form/form-shapes.js';
import { isObject } from '../../domain/form/patch.js';
import { pathOfPointer, valueAt } from '../../domain/json/json-pointer.js';
import { bodyOf, boundedMismatches, type MatchDifference } from '../../engine/patterns/match.js';
import { valueText } from '../../engine/patterns/value-text.js';
import { isSecretField } from '../../engine/secrets.js';
import type { Expectation, Step } from '../format/step-format.js';
import type { Insight, Received, SandboxControl, SeenRecord, WorldView } from './target.js';

/** Whether the response is complete although it should be cut off, or the reverse. `broken`: how it was cut off; `undefined`: it is complete. */
export function connectionDifferences(
  expect: Expectation | undefined,
  received: Received | undefined,
  broken: string | undefined,
  insight: Insight | undefined,
): MatchDifference[] {
  const one = (expected: string, found: string, says: string) => [
    { of: 'connection' as const, pointer: '', expected, found, says },
  ];
  if (broken !== undefined && expect?.connection === undefined) {
    const why = insight?.fault === undefined ? '' : ` by the fault ${insight.fault}`;
    return one('whole', 'broken', `is broken${why}: ${broken}`);
  }
  if (received !== undefined && expect?.connection !== undefined)
    return one('broken', 'whole', `is not broken: the response is complete, with the status ${received.status}`);
  return [];
}

/** Each way in which a response is not what is expected. `isPart`: its body may have more fields. */
export function responseDifferences(
  expect: Expectation | undefined,
  received: Received,
  isPart = false,
): MatchDifference[] {
  if (expect === undefined) return [];
  const { status, headers = {} } = expect;
  return [
    ...statusDifferences(status, received.status),
    ...Object.entries(headers).flatMap(([name, value]) =>
      boundedMismatches(value, headerOf(received, name), false, [name]).map(one => ({
        ...one,
        of: 'headers' as const,
      })),
    ),
    ...(Object.hasOwn(expect, 'body')
      ? boundedMismatches(expect.body, bodyOf(received), isPart).map(one => ({ ...one, of: 'body' as const }))
      : []),
  ];
}

function headerOf({ headers }: Received, name: string): string | undefined {
  const known = name.toLowerCase();
  return Object.hasOwn(headers, known) ? headers[known] : undefined;
}

function statusDifferences(expected: unknown, found: number): MatchDifference[] {
  if (expected === undefined) return [];
  const isClass = typeof expected === 'string' && /^[1-5]XX$/.test(expected);
  if (isClass) {
    if (String(found).startsWith(expected.charAt(0))) return [];
    return [{ of: 'status', pointer: '', expected, found, says: `is ${found}, not one of ${expected}` }];
  }
  const written = isObject(expected) && '$match' in expected ? String(found) : found; // a pattern applies to text
  return boundedMismatches(expected, written).map(one => ({ ...one, of: 'status' as const }));
}

/** Each difference between the world and `then`, which describes a part of it. */
export async function worldDifferences(then: unknown, control: SandboxControl): Promise<MatchDifference[]> {
  if (!isObject(then)) return [];
  const found: MatchDifference[] = [];
  for (const [name, expected] of Object.entries(then)) {
    const collection = collectionNames.find(known => known === name);
    if (collection === undefined) {
      const part = await control.part(name as 'licence' | 'nextPageId'); // the schema of `then` allows no others
      found.push(...boundedMismatches(expected, part, true, [name]).map(one => ({ ...one, of: 'world' as const })));
    } else if (isObject(expected)) {
      for (const [key, record] of Object.entries(expected)) {
        const actual = await control.record(collection, key);
        found.push(...recordDifferences(record, actual, [name, key]));
      }
    }
  }
  return found;
}

/** The visible records of the world by collection and key, such as `groups/customers`. */
export type VisibleRecords = ReadonlyMap<string, SeenRecord>;

/** Reads each record that any of these mentions, all at once. */
export async function readVisible(thens: readonly unknown[], view: WorldView): Promise<VisibleRecords> {
  const places = new Map(thens.flatMap(recordsIn).map(one => [`${one.name}/${one.key}`, one]));
  const found = [...places].map(
    async ([place, { name, key, expected }]) => [place, await view.see(name, key, expected)] as const,
  );
  return new Map((await Promise.all(found)).flatMap(([place, seen]) => (seen === undefined ? [] : [[place, seen]])));
}

/** Each difference between the visible world and `then`; invisible parts are skipped. */
export function seenDifferences(then: unknown, seen: VisibleRecords): MatchDifference[] {
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
    return boundedMismatches(visible, value, true, [name, key]).map(one => ({ ...one, of: 'world' as const }));
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

/** The rules that a step has proved by its own response; a response replaced by a fault proves nothing. */
export function provedBy({ proves = [] }: Pick<Step, 'proves'>, insight: Insight | undefined): string[] {
  return insight === undefined || insight.fault !== undefined
    ? []
    : proves.filter(rule => insight.rules.includes(rule));
}

/** Passwords and tokens of users are compared, but not shown. */
function recordDifferences(
  expected: unknown,
  actual: unknown,
  at: readonly [collection: string, key: string],
): MatchDifference[] {
  const differences = boundedMismatches(expected, actual, true, at).map(one => ({ ...one, of: 'world' as const }));
  if (at[0] !== 'users') return differences;
  return differences.map(difference => {
    const [, , field = ''] = pathOfPointer(difference.pointer);
    if (isSecretField(field))
      return { ...difference, expected: undefined, found: undefined, says: 'is not the expected value' };
    if (!isObject(difference.found)) return difference;
    const known = Object.fromEntries(Object.entries(difference.found).filter(([name]) => !isSecretField(name)));
    const says = difference.says.replace(valueText(difference.found), valueText(known));
    return { ...difference, found: known, says };
  });
}

/** Each rule that a step should prove, but that neither applied to its response nor was proved before. */
export function proofDifferences(
  proves: readonly string[],
  insight: Insight | undefined,
  before: ReadonlySet<string>,
): MatchDifference[] {
  const { rules, fault }: Pick<Insight, 'rules' | 'fault'> = insight ?? { rules: [] };
  const only =
    insight === undefined
      ? 'and the journal has no entry for the request'
      : rules.length === 0
        ? 'nor did any other rule'
        : `but these did: ${rules.join(', ')}`;
  return proves
    .filter(rule => fault !== undefined || !(rules.includes(rule) || before.has(rule)))
    .map(rule => ({
      of: 'proves' as const,
      pointer: '',
      expected: rule,
      found: rules,
      says:
        fault === undefined
          ? `${rule} did not apply, ${only}`
          : `${rule} cannot be proved, because a fault fired: ${fault}`,
    }));
}

/** The values captured from a body, and those that are missing. */
export function captured(
  capture: Readonly<Record<string, string>>,
  body: unknown,
): { readonly values: ReadonlyMap<string, unknown>; readonly differences: MatchDifference[] } {
  const values = new Map<string, unknown>();
  const differences: MatchDifference[] = [];
  for (const [name, pointer] of Object.entries(capture)) {
    const value = valueAt(body, pathOfPointer(pointer));
    if (value === undefined)
      differences.push({
        of: 'capture',
        pointer,
        expected: name,
        found: body,
        says: `has no value to capture as ${name}; the body is ${valueText(body)}`,
      });
    else values.set(name, value);
  }
  return { values, differences };
}
