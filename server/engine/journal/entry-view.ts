// What there is to say of a journal entry beyond what was written down, found out when somebody reads it: what a wrong path meant, fields that
// nothing read, names that exist in another case. Nothing of it costs a request anything.
import { isObject } from '../../domain/patch.js';
import type { World } from '../../domain/world.js';
import { operationOf } from '../../operations/catalog.js';
import type { Operation } from '../../operations/operation.js';
import type { JsonSchema } from '../../operations/schema.js';
import { pointerTo } from '../differing.js';
import { parseQuery } from '../request/request.js';
import { meantBy } from '../request/served-address.js';
import type { Sandbox } from '../sandbox/sandbox.js';
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
  const nearest = entry.endpoint === undefined ? meantBy(entry.url.split('?', 1)[0] ?? '') : undefined;
  const body = bodyValue(entry);
  const unreadFields = unread(entry, body);
  const world = history.at(entry.before)?.world;
  const otherCase = world === undefined ? [] : otherCases(entry, body, world);
  return {
    ...entry,
    ...(nearest !== undefined && { nearest }),
    ...(unreadFields.length > 0 && { unreadFields: unreadFields.slice(0, MOST) }),
    ...(otherCase.length > 0 && { otherCase: otherCase.slice(0, MOST) }),
  };
}

/** The JSON value of the body; `undefined` where it is none. */
function bodyValue({ request: { body, unread: other } }: JournalEntry): unknown {
  return body === undefined || other !== undefined ? undefined : (JSON.parse(body) as unknown);
}

function unread(entry: JournalEntry, body: unknown): string[] {
  const operation = entry.operation === undefined ? undefined : operationOf(entry.operation);
  if (operation === undefined || body === undefined || entry.fault !== undefined) return [];
  if (operation.body === undefined) return isObject(body) && Object.keys(body).length === 0 ? [] : [''];
  return entry.gaps['unknown-field'] === 'ignore' ? unknownFields(operation.body.schema.json, body, '', entry) : [];
}

/** The fields that a schema does not have; another name of a field has been read where its gap says so. */
function unknownFields(schema: JsonSchema, value: unknown, at: string, entry: JournalEntry): string[] {
  if (Array.isArray(value) && isObject(schema.items)) {
    const { items } = schema;
    return value.flatMap((element, i) => unknownFields(items, element, `${at}/${i}`, entry));
  }
  if (!isObject(value) || !isObject(schema.properties)) return [];
  const { properties } = schema;
  const alias = aliasRead(entry);
  return Object.keys(value)
    .filter(name => !Object.hasOwn(properties, name) && name !== alias)
    .map(name => `${at}${pointerTo(name)}`);
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

function otherCases(entry: JournalEntry, body: unknown, world: World): OtherCase[] {
  const operation = entry.operation === undefined ? undefined : operationOf(entry.operation);
  if (operation === undefined) return [];
  return [...namesInBody(operation, body), ...namesInQuery(operation, entry.url)].flatMap(({ at, sent, of }) => {
    const known = world[of].has(sent) ? undefined : indexOf(world[of]).get(sent.toLowerCase());
    return known === undefined ? [] : [{ at, sent, known }];
  });
}

interface Named {
  readonly at: string;
  readonly sent: string;
  readonly of: 'users' | 'groups' | 'spaces';
}

function namesInBody({ body: spec }: Operation, body: unknown): Named[] {
  if (spec === undefined || !isObject(body)) return [];
  return Object.entries(body).flatMap(([field, value]) => {
    const of = Object.hasOwn(named, field) ? named[field] : undefined;
    if (of === undefined) return [];
    const at = `/body${pointerTo(field)}`;
    if (typeof value === 'string') return [{ at, sent: value, of }];
    if (!Array.isArray(value)) return [];
    return value.flatMap((sent, i) => (typeof sent === 'string' ? [{ at: `${at}/${i}`, sent, of }] : []));
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
