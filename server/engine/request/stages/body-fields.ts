// Settles missing, unknown and null fields of a body by the readings, before its schema is checked.
import { isObject } from '../../../domain/form/patch.js';
import { isSameButForCase, quoted } from '../../../operations/lookups.js';
import type { BodySpec } from '../../../operations/operation.js';
import { firstFive, type Grounds, isRefused, type Refused, refusedTogether } from '../../../operations/provenance.js';
import type { JsonSchema } from '../../../operations/schema.js';
import { andList, expectedOf } from '../../nearest.js';
import {
  type Looks,
  MAX_LOOKS,
  type MisspelledField,
  misspelledFields,
  misspellingSentence,
} from '../misspelled-fields.js';

/** What may decide about the fields of a body. */
type FieldGrounds = Grounds<
  UnknownGap | MissingGap | 'list-limit' | 'body-too-large',
  UnknownGap | 'null-field' | MissingGap | 'list-limit' | 'all-group-field' | 'ppf-empty-arrays',
  string
>;

/** The gap that says whether a field may be missing. */
export type MissingGap = 'missing-field' | 'missing-list';

export function missingGap(field: JsonSchema | undefined): MissingGap {
  return field?.type === 'array' ? 'missing-list' : 'missing-field';
}

type UnknownGap = NonNullable<BodySpec<unknown>['unknownFields']>;

/** The gap about unknown fields of a body; its refusal has the same name. */
export function unknownGap({ unknownFields = 'unknown-field' }: BodySpec<unknown>): UnknownGap {
  return unknownFields;
}

type Settled = { readonly value: unknown } | Refused;

interface About {
  readonly spec: BodySpec<unknown>;
  readonly looks: Looks;
  /** What else is wrong with a body whose missing fields are filled in, a sentence each. */
  readonly otherErrors: (filled: unknown) => readonly string[];
}

/** The body after all readings, ready for its schema; or the refusal. A missing field does not hide other errors. */
export function bodyUnderReadings(
  spec: BodySpec<unknown>,
  value: unknown,
  given: FieldGrounds,
  otherErrors: About['otherErrors'],
): Settled {
  const json = spec.schema;
  const about = { spec, looks: { left: MAX_LOOKS }, otherErrors };
  if (Array.isArray(value)) {
    const { items } = json;
    const refused = refuseLong('The list', value, given);
    if (refused !== undefined) return refused;
    return isObject(items) && items.type === 'object' ? eachUnderReadings(items, value, given, about) : { value };
  }
  if (typeof value !== 'object' || value === null || json.type !== 'object') return { value };
  const { alias, emptyLists } = spec;
  const sent = value as Readonly<Record<string, unknown>>; // of a JSON object
  const renamed = alias === undefined ? sent : applyAlias(alias, sent, given);
  const settled = objectUnderReadings(json, renamed, '', given, about);
  if (isRefused(settled) || emptyLists === undefined) return settled;
  return { value: fillEmptyLists(emptyLists, settled.value, given) };
}

/** The first wrong element decides the refusal, and hides no error of the others. */
function eachUnderReadings(items: JsonSchema, values: readonly unknown[], given: FieldGrounds, about: About): Settled {
  const refusals: Refused[] = [];
  const settled = values.map((element, i) => {
    if (!isObject(element)) return element;
    let filled: unknown = withAbsent(items, {}); // of an element whose fields are not looked at
    const fill: About['otherErrors'] = known => {
      filled = known;
      return none;
    };
    const outcome = objectUnderReadings(items, element, `/${i}`, given, { ...about, otherErrors: fill });
    if (!isRefused(outcome)) return outcome.value;
    refusals.push(outcome);
    return filled;
  });
  const [first, ...others] = refusals;
  return first === undefined ? { value: settled } : refusedTogether([first, ...others], about.otherErrors(settled));
}

function objectUnderReadings(
  schema: JsonSchema,
  sent: Readonly<Record<string, unknown>>,
  pointer: string,
  given: FieldGrounds,
  about: About,
): { readonly value: Readonly<Record<string, unknown>> } | Refused {
  const properties = schema.properties as Readonly<Record<string, JsonSchema>>;
  if (!needsReading(sent, properties, (schema.required ?? none) as readonly string[])) return { value: sent }; // as the schema builder writes them
  const place = pointer === '' ? 'The body' : pointer;
  const within = pointer === '' ? '' : ` in ${pointer}`;
  const unknown = Object.keys(sent).filter(name => !Object.hasOwn(properties, name));
  const huge = refuseHuge(place, unknown.length, 'unknown fields', given);
  if (huge !== undefined) return huge;
  const meant = unknown.length === 0 ? [] : misspelledFields(schema, sent, undefined, pointer, about.looks);
  if (meant.some(field => isSameButForCase(field.sent, field.meant))) given.applies('address.case-sensitive');
  if (unknown.length > 0 && given.reading(unknownGap(about.spec)) === '400') {
    const others = unknown.filter(name => !meant.some(field => field.sent === name));
    return given.refuse(unknownGap(about.spec), [
      ...(others.length === 0
        ? []
        : [`Unknown field${plural(others)} ${fieldNames(others)}${within}: ${expectedOf(Object.keys(properties))}.`]),
      ...meant.map(misspellingSentence),
    ]);
  }
  const value = applyNullReading(sent, properties, given);
  for (const [name, list] of Object.entries(value)) {
    const refused = refuseLong(`The list ${pointer}/${name}`, list, given);
    if (refused !== undefined) return refused;
  }
  return applyMissingReading(schema, value, { pointer, meant }, given, about);
}

/** Elements that a list may have under list-limit=1000. */
export const MAX_LIST_ELEMENTS = 1000;
/** Elements of a list, or unknown fields, under any reading: each name is looked up several times, and others wait meanwhile. */
const MAX_ELEMENTS = 10_000;

function isLong(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > MAX_LIST_ELEMENTS;
}

/** The refusal of a list that is too long. */
function refuseLong(place: string, list: unknown, given: FieldGrounds): Refused | undefined {
  if (!isLong(list)) return undefined;
  const huge = refuseHuge(place, list.length, 'elements', given);
  if (huge !== undefined || given.reading('list-limit') !== '1000') return huge;
  return given.refuse('list-limit', `${place} has ${list.length} elements; expected at most ${MAX_LIST_ELEMENTS}.`);
}

function refuseHuge(place: string, count: number, what: string, given: FieldGrounds): Refused | undefined {
  if (count <= MAX_ELEMENTS) return undefined;
  return given.refuse(
    'body-too-large',
    `${place} has ${count} ${what}, but this fake accepts at most ${MAX_ELEMENTS}. Send fewer at a time.`,
  );
}

/** Whether a gap applies to a body: a missing, unknown or null field, or a long list. */
function needsReading(value: Readonly<Record<string, unknown>>, properties: object, due: readonly string[]): boolean {
  for (const name in value) {
    const field = value[name];
    if (field === null || isLong(field) || !Object.hasOwn(properties, name)) return true;
  }
  for (const name of due) if (!Object.hasOwn(value, name)) return true;
  return false;
}

/** The known fields, without null ones if null means absent; otherwise their schema refuses them. */
function applyNullReading(
  sent: Readonly<Record<string, unknown>>,
  properties: object,
  given: FieldGrounds,
): Readonly<Record<string, unknown>> {
  const known = Object.keys(sent).filter(name => Object.hasOwn(properties, name));
  const isKept = !known.some(name => sent[name] === null) || given.reading('null-field') === '400';
  return Object.fromEntries(known.filter(name => isKept || sent[name] !== null).map(name => [name, sent[name]]));
}

/** The fields, with missing ones as empty if that is allowed. */
function applyMissingReading(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  { pointer, meant }: { readonly pointer: string; readonly meant: readonly MisspelledField[] },
  given: FieldGrounds,
  { otherErrors }: About,
): { readonly value: Readonly<Record<string, unknown>> } | Refused {
  const properties = schema.properties as Readonly<Record<string, JsonSchema>>;
  const missing = missingIn(schema, value);
  if (missing.length === 0) return { value };
  const filled = withAbsent(schema, value);
  const due = missing.filter(name => given.reading(missingGap(properties[name])) === '400');
  if (due.length === 0) return { value: filled };
  const gaps = new Set(due.map(name => missingGap(properties[name])));
  const lacking = `Missing field${plural(due)} ${fieldNames(due)}${pointer === '' ? '' : ` in ${pointer}`}.`;
  const sentences = firstFive([lacking, ...meant.map(misspellingSentence), ...otherErrors(filled)]);
  return given.refuse(gaps.has('missing-field') ? 'missing-field' : 'missing-list', sentences);
}

const none: readonly string[] = Object.freeze([]);

function missingIn({ required = none }: JsonSchema, value: Readonly<Record<string, unknown>>): readonly string[] {
  return (required as readonly string[]).filter(name => !Object.hasOwn(value, name)); // as the schema builder writes them
}

/** The fields, and the defaults of missing ones. */
function withAbsent(schema: JsonSchema, value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const properties = schema.properties as Readonly<Record<string, JsonSchema>>;
  const absent = missingIn(schema, value).map(name => [name, absentValue(properties[name] ?? {})] as const);
  return { ...value, ...Object.fromEntries(absent) };
}

function applyAlias(
  alias: NonNullable<BodySpec<unknown>['alias']>,
  value: Readonly<Record<string, unknown>>,
  given: FieldGrounds,
): Readonly<Record<string, unknown>> {
  if (!Object.hasOwn(value, alias.name)) return value;
  given.applies(alias.rule);
  if (given.reading(alias.gap) !== alias.reading) return value;
  const { [alias.name]: other, ...rest } = value;
  const own = rest[alias.of];
  const isEither = Object.hasOwn(rest, alias.of) && (own === null) !== (other === null);
  if (isEither) return { ...rest, [alias.of]: given.reading('null-field') === 'absent' ? (own ?? other) : null };
  if (Array.isArray(own) && Array.isArray(other)) return { ...rest, [alias.of]: [...own, ...other] };
  return { ...rest, [alias.of]: own === undefined || Array.isArray(own) ? other : own };
}

/** Removes empty lists if the reading says that an empty list counts as absent and that decides a constraint. */
function fillEmptyLists(
  { gap, absent, groups }: NonNullable<BodySpec<unknown>['emptyLists']>,
  value: Readonly<Record<string, unknown>>,
  given: FieldGrounds,
): unknown {
  const isEmpty = (name: string) => Array.isArray(value[name]) && value[name].length === 0;
  const deciding = groups
    .filter(names => names.some(isEmpty) && names.every(name => value[name] === undefined || isEmpty(name)))
    .flat();
  if (deciding.length === 0 || given.reading(gap) !== absent) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !(deciding.includes(name) && isEmpty(name))));
}

/** The default of an optional field. */
export function absentValue(schema: JsonSchema): unknown {
  return schema.type === 'array' ? [] : schema.type === 'boolean' ? false : '';
}

export function plural({ length }: readonly unknown[]): string {
  return length === 1 ? '' : 's';
}

export function fieldNames(names: readonly string[]): string {
  const shown = names.slice(0, 5).map(quoted);
  if (names.length > 5) return `${shown.join(', ')} and ${names.length - 5} more`;
  return andList(shown);
}
