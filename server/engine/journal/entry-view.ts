// What there is to say of a journal entry beyond what was written down, found out when somebody reads it: what a wrong path meant, fields that
// nothing read, names that exist in another case. Nothing of it costs a request anything.
import { isObject } from '../../domain/form/patch.js';
import type { World } from '../../domain/world.js';
import { operationOf } from '../../operations/catalog.js';
import type { Operation } from '../../operations/operation.js';
import type { JsonSchema } from '../../operations/schema.js';
import { pointerTo } from '../differing.js';
import { parseQuery } from '../request/request.js';
import { meantBy } from '../request/stages/served-address.js';
import type { Sandbox } from '../sandbox/cached-sandbox.js';
import type { JournalEntry } from './journal-entry.js';

/** A name that the world does not have as it was sent. */
export interface OtherCase {
  /** JSON pointer: `/body/…` or `/query/…`. */
  readonly at: string;
  readonly sent: string;
  /** The name that there is. */
  readonly known: string;
}

export interface EntryView extends JournalEntry {
  /** Of a path at which there is nothing: the one that was probably meant. */
  readonly nearest?: string;
  /** JSON pointers to fields of the body that nothing read; empty where that is the whole body. */
  readonly unreadFields?: readonly string[];
  /** Names that exist in another case. Absent too where the version on which the answer was decided is kept no longer. */
  readonly otherCase?: readonly OtherCase[];
}

/** As many of a kind as are told. */
const MOST = 20;

export function viewEntry(entry: JournalEntry, { history }: Pick<Sandbox, 'history'>): EntryView {
  const nearest = isNowhere(entry) ? meantBy(entry.url.split('?', 1)[0] ?? '') : undefined;
  if (entry.forwarded !== undefined) return nearest === undefined ? entry : { ...entry, nearest };
  const body = bodyValue(entry);
  const unreadFields = first(unread(entry, body));
  const world = history.at(entry.before)?.world;
  const otherCase = world === undefined ? [] : first(otherCases(entry, body, world));
  return {
    ...entry,
    ...(nearest !== undefined && { nearest }),
    ...(unreadFields.length > 0 && { unreadFields }),
    ...(otherCase.length > 0 && { otherCase }),
  };
}

/** Whether there is nothing at the path: neither an endpoint, nor one under the readings that let its form pass. */
function isNowhere({ endpoint, gaps }: JournalEntry): boolean {
  return endpoint === undefined || gaps['trailing-slash'] === '404' || gaps['version-segment'] === 'latest';
}

function first<T>(found: Iterable<T>): T[] {
  const some: T[] = [];
  for (const one of found) {
    some.push(one);
    if (some.length === MOST) break;
  }
  return some;
}

/** The JSON value of the body; `undefined` where it is none. */
function bodyValue({ request: { body, unread: other } }: JournalEntry): unknown {
  return body === undefined || other !== undefined ? undefined : (JSON.parse(body) as unknown);
}

function unread(entry: JournalEntry, body: unknown): Iterable<string> {
  const operation = entry.operation === undefined ? undefined : operationOf(entry.operation);
  if (operation === undefined || body === undefined || entry.fault !== undefined) return [];
  if (operation.body === undefined) return isObject(body) && Object.keys(body).length === 0 ? [] : [''];
  return entry.gaps['unknown-field'] === 'ignore' ? unknownFields(operation.body.schema.json, body, '', entry) : [];
}

/** The fields that a schema does not have; another name of a field has been read where its gap says so. */
function* unknownFields(schema: JsonSchema, value: unknown, at: string, entry: JournalEntry): Generator<string> {
  if (Array.isArray(value) && isObject(schema.items)) {
    const { items } = schema;
    for (const [i, element] of value.entries())
      if (typeof element === 'object') yield* unknownFields(items, element, `${at}/${i}`, entry);
  }
  if (!isObject(value) || !isObject(schema.properties)) return;
  const { properties } = schema;
  const alias = aliasRead(entry);
  for (const name in value) if (!Object.hasOwn(properties, name) && name !== alias) yield `${at}${pointerTo(name)}`;
}

function aliasRead({ operation = '', gaps }: JournalEntry): string | undefined {
  const alias = operationOf(operation)?.body?.alias;
  return alias !== undefined && gaps[alias.gap] === alias.reading ? alias.name : undefined;
}

/** The fields and parameters that hold names, and of what. */
const named: Readonly<Record<string, 'users' | 'groups' | 'spaces'>> = {
  users: 'users',
  groups: 'groups',
  group: 'groups',
  spaceKey: 'spaces',
  sourceSpaceKey: 'spaces',
  targetSpaceAdmin: 'users',
};

function* otherCases(entry: JournalEntry, body: unknown, world: World): Generator<OtherCase> {
  const operation = entry.operation === undefined ? undefined : operationOf(entry.operation);
  if (operation === undefined) return;
  for (const { at, sent, of } of [...namesInBody(operation, body), ...namesInQuery(operation, entry.url)]) {
    for (const [i, name] of [sent].flat().entries()) {
      if (typeof name !== 'string') continue;
      const known = world[of].has(name) ? undefined : indexOf(world[of]).get(name.toLowerCase());
      if (known !== undefined) yield { at: Array.isArray(sent) ? `${at}/${i}` : at, sent: name, known };
    }
  }
}

/** One name, or a list of them. */
interface Named {
  readonly at: string;
  readonly sent: string | readonly unknown[];
  readonly of: 'users' | 'groups' | 'spaces';
}

function namesInBody({ body: spec }: Operation, body: unknown): Named[] {
  if (spec === undefined || !isObject(body)) return [];
  return Object.entries(body).flatMap(([field, value]) => {
    const of = Object.hasOwn(named, field) ? named[field] : undefined;
    if (of === undefined) return [];
    const isNamed = typeof value === 'string' || Array.isArray(value);
    return isNamed ? [{ at: `/body${pointerTo(field)}`, sent: value, of }] : [];
  });
}

function namesInQuery({ query = {} }: Operation, url: string): Named[] {
  const { pairs } = parseQuery(url.slice(url.indexOf('?') + 1));
  return pairs.flatMap(([name, sent]) => {
    const of = Object.hasOwn(query, name) && Object.hasOwn(named, name) ? named[name] : undefined;
    return of === undefined ? [] : [{ at: `/query${pointerTo(name)}`, sent, of }];
  });
}

const indexes = new WeakMap<object, ReadonlyMap<string, string>>();

/** The names of a collection by what they are in small letters, made once for each. */
function indexOf(records: World['users' | 'groups' | 'spaces']): ReadonlyMap<string, string> {
  const known = indexes.get(records);
  if (known !== undefined) return known;
  const index = new Map<string, string>();
  for (const name of records.keys()) index.set(name.toLowerCase(), name);
  indexes.set(records, index);
  return index;
}
