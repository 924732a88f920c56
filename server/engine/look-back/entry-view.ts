// Additional information about a journal entry, computed when it is read: the nearest path, unread fields, names in another letter case.

import * as Type from '@sinclair/typebox';
import { isObject } from '../../domain/form/patch.js';
import { firstOf } from '../../domain/iterables.js';
import { pointerTo } from '../../domain/json/json-pointer.js';
import { type Shape, typed } from '../../domain/json/shape.js';
import { keptFor } from '../../domain/kept-for.js';
import type { World } from '../../domain/world/world.js';
import { operationOf } from '../../operations/catalog/catalog.js';
import { warningsOf } from '../../operations/gaps/gaps.js';
import type { Operation } from '../../operations/operation.js';
import { entrySchema, type JournalEntry } from '../journal/journal-entry.js';
import {
  type MisspelledField,
  misspelledFieldSchema,
  misspelledFields,
  unknownFields,
} from '../request/misspelled-fields.js';
import { parseQuery } from '../request/request.js';
import { unknownGap } from '../request/stages/body-fields.js';
import { meantBy } from '../request/stages/routing.js';
import type { CachedSandbox } from '../session/cached-sandbox.js';

/** @internal */
export const caseMismatchSchema = Type.Object({
  at: Type.String({ description: 'JSON pointer that begins with /body or /query.' }),
  sent: Type.String(),
  known: Type.String({ description: 'The existing name.' }),
});
/** A name that does not exist as it was sent. */
export type CaseMismatch = Shape<typeof caseMismatchSchema>;

/** @internal */
export const hintsSchema = Type.Object({
  nearest: Type.Optional(Type.String({ description: 'Nearest existing path, if the requested one does not exist.' })),
  ignoredFields: Type.Optional(
    Type.Array(Type.String(), {
      description: 'JSON pointers to ignored fields of the body; an empty pointer means the whole body.',
    }),
  ),
  misspelledFields: Type.Optional(
    Type.Array(typed<MisspelledField>('MisspelledField', misspelledFieldSchema), {
      description: 'Ignored fields that are probably misspellings of a missing field, each with that field.',
    }),
  ),
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Mistakes of the client that the readings in use tolerate, one sentence each.',
    }),
  ),
  caseMismatches: Type.Optional(
    Type.Array(caseMismatchSchema, {
      description:
        'Names that exist in another letter case. Also absent if the version that responded has been discarded.',
    }),
  ),
});
export type EntryHints = Shape<typeof hintsSchema>;
export type EntryView = JournalEntry & EntryHints;

/** @internal */
export const viewSchema = Type.Object(
  { ...entrySchema.properties, ...hintsSchema.properties },
  { title: 'JournalEntry' },
);

/** Maximum number of each kind. */
const MOST = 20;

export function viewEntry(entry: JournalEntry, { history }: Pick<CachedSandbox, 'history'>): EntryView {
  const nearest = isNowhere(entry) ? meantBy(entry.url.split('?', 1)[0] ?? '') : undefined;
  if (entry.forwarded !== undefined) return nearest === undefined ? entry : { ...entry, nearest };
  const body = bodyValue(entry);
  const ignoredFields = firstOf(unread(entry, body), MOST).map(({ at }) => at);
  const schema = operationOf(entry.operation ?? '')?.body?.schema;
  const meant = schema === undefined ? [] : misspelledFields(schema, body, aliasRead(entry));
  const warnings = warningsOf(entry.gaps);
  const world = history.at(entry.before)?.world;
  const caseMismatches = world === undefined ? [] : firstOf(otherCases(entry, body, world), MOST);
  return {
    ...entry,
    ...(nearest !== undefined && { nearest }),
    ...(ignoredFields.length > 0 && { ignoredFields }),
    ...(meant.length > 0 && { misspelledFields: meant }),
    ...(warnings.length > 0 && { warnings }),
    ...(caseMismatches.length > 0 && { caseMismatches }),
  };
}

/** Whether the path has no endpoint under any reading. */
function isNowhere({ endpoint, gaps }: JournalEntry): boolean {
  return endpoint === undefined || gaps['trailing-slash'] === '404' || gaps['version-segment'] === 'latest';
}

/** The JSON value of the body, or `undefined`. */
function bodyValue({ request: { body, unread: other } }: JournalEntry): unknown {
  return body === undefined || other !== undefined ? undefined : (JSON.parse(body) as unknown);
}

function unread(entry: JournalEntry, body: unknown): Iterable<{ readonly at: string }> {
  const operation = operationOf(entry.operation ?? '');
  if (operation === undefined || body === undefined || entry.fault !== undefined) return [];
  if (operation.body === undefined) return isObject(body) && Object.keys(body).length === 0 ? [] : [{ at: '' }];
  return entry.gaps[unknownGap(operation.body)] === 'ignore'
    ? unknownFields(operation.body.schema, body, aliasRead(entry))
    : [];
}

/** An alias counts as read if its gap allows it. */
function aliasRead({ operation = '', gaps }: JournalEntry): string | undefined {
  const alias = operationOf(operation)?.body?.alias;
  return alias !== undefined && gaps[alias.gap] === alias.reading ? alias.name : undefined;
}

/** The fields and parameters that contain names, with their kind. */
const named: Readonly<Record<string, 'users' | 'groups' | 'spaces'>> = {
  users: 'users',
  groups: 'groups',
  group: 'groups',
  spaceKey: 'spaces',
  sourceSpaceKey: 'spaces',
  targetSpaceAdmin: 'users',
};

function* otherCases(entry: JournalEntry, body: unknown, world: World): Generator<CaseMismatch> {
  for (const { at, sent, of } of namesIn(entry, body)) {
    for (const [i, name] of [sent].flat().entries()) {
      if (typeof name !== 'string') continue;
      const known = world[of].has(name) ? undefined : indexOf(world[of]).get(name.toLowerCase());
      if (known !== undefined) yield { at: Array.isArray(sent) ? `${at}/${i}` : at, sent: name, known };
    }
  }
}

/** One name, or a list of names. */
interface Named {
  readonly at: string;
  readonly sent: string | readonly unknown[];
  readonly of: 'users' | 'groups' | 'spaces';
}

function namesIn({ operation, url }: JournalEntry, body: unknown): Named[] {
  const { body: spec, query = {} }: Partial<Operation> = operationOf(operation ?? '') ?? {};
  const { pairs } = parseQuery(url.slice(url.indexOf('?') + 1));
  const fields = spec !== undefined && isObject(body) ? Object.entries(body) : [];
  const parameters = pairs.filter(([name]) => Object.hasOwn(query, name));
  const inPart =
    (part: 'body' | 'query') =>
    ([name, sent]: readonly [name: string, sent: unknown]) => {
      const of = Object.hasOwn(named, name) ? named[name] : undefined;
      const isNamed = typeof sent === 'string' || Array.isArray(sent);
      return of !== undefined && isNamed ? [{ at: `/${part}${pointerTo(name)}`, sent, of }] : [];
    };
  return [...fields.flatMap(inPart('body')), ...parameters.flatMap(inPart('query'))];
}

/** The names of a collection by their lower-case form. */
const indexOf = keptFor(
  (records: World['users' | 'groups' | 'spaces']): ReadonlyMap<string, string> =>
    new Map(Array.from(records.keys(), name => [name.toLowerCase(), name])),
);
