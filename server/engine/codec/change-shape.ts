// The shape of each fact and of each change, by its type: the compiler sees to it that none is left out, and no member of one.
// Knows nothing of what a change does.
import type { Fact, FactType } from '../../domain/facts.js';
import { isObject } from '../../domain/form/patch.js';
import type { Armed } from '../faults/fault.js';
import { faultSchema } from '../faults/fault-schema.js';
import { entrySchema } from '../journal/entry-schema.js';
import { nearest } from '../nearest.js';
import { checkReadings } from '../request/readings.js';
import { found } from '../request/validate.js';
import type { Clock } from '../sandbox/clock.js';
import type { Change } from '../sandbox/state.js';
import { patchShape } from './patch-shape.js';
import {
  count,
  counts,
  instant,
  listOf,
  type Members,
  maybe,
  mustBe,
  objectOf,
  oneOf,
  pageText,
  type Shape,
  shapeOf,
  text,
  texts,
} from './shape.js';

type Table<Of extends { readonly type: string }> = {
  readonly [T in Of['type']]: Members<Omit<Extract<Of, { type: T }>, 'type'>>;
};

/** The first and the last millisecond that a date can tell. */
const FARTHEST = 8_640_000_000_000_000;
const ahead: Shape = value =>
  Number.isSafeInteger(value) && Math.abs(Number(value)) <= FARTHEST ? undefined : mustBe('milliseconds', value);
const standing = objectOf<Extract<Clock, { stands: string }>>({ stands: instant });
const running = objectOf<Extract<Clock, { ahead: number }>>({ ahead });
export const clockShape: Shape = value => (isObject(value) && 'stands' in value ? standing : running)(value);

export const readingsShape: Shape = value => {
  if (!isObject(value)) return mustBe('an object', value);
  const checked = checkReadings(Object.entries(value));
  return 'problem' in checked ? ` has a reading that this version does not know: ${checked.problem}` : undefined;
};

export const faultShape = shapeOf(faultSchema);
export const armedShape: Shape = listOf(objectOf<Armed>({ fault: faultShape, met: count, fired: count }));

const permission = { page: text, permission: oneOf('edit', 'view'), users: texts, groups: texts };
const link = { space: text, label: text, url: text };
const favourite = { item: oneOf('filters', 'dashboards'), ids: counts, users: texts };
const facts: Table<Fact> = {
  'group-created': { group: text },
  'group-member-added': { group: text, user: text },
  'group-member-removed': { group: text, user: text },
  'group-members-set': { group: text, users: texts },
  'page-permission-added': permission,
  'page-permission-removed': permission,
  'sidebar-link-added': link,
  'sidebar-link-replaced': link,
  'space-copied': {
    source: text,
    target: text,
    name: text,
    admins: texts,
    firstPageId: count,
    content: maybe(oneOf('pages')),
    restamp: maybe(objectOf<{ author: string; at: string }>({ author: text, at: text })),
  },
  'page-text-replaced': { page: text, title: pageText, body: pageText, by: text, at: text },
  'favourite-added': favourite,
  'favourite-removed': favourite,
  'session-started': { key: text, user: text },
  'session-ended': { key: text },
  'world-patched': { patch: patchShape },
};

const around: Table<Exclude<Change, { type: FactType }>> = {
  'readings-set': { readings: readingsShape },
  'faults-set': { faults: armedShape },
  'faults-met': { met: counts, fired: maybe(count) },
  'clock-set': { clock: clockShape },
  'snapshot-kept': { name: text, of: count, at: instant },
  'snapshot-dropped': { name: text },
  restored: { name: text },
  rewound: { to: count },
  'sandbox-reset': {},
};

/** A thing with a type, by the members that one of that type has. */
function typed(table: Readonly<Record<string, Readonly<Record<string, Shape>>>>): Shape {
  const shapes = new Map(Object.entries(table).map(([type, members]) => [type, objectOf(members)]));
  return value => {
    if (!isObject(value)) return mustBe('an object', value);
    const { type } = value;
    const shape = typeof type === 'string' ? shapes.get(type) : undefined;
    if (shape !== undefined) return shape(value);
    const meant = typeof type === 'string' ? nearest(type, shapes.keys()) : '';
    return `/type is ${type === undefined ? 'not there' : found(type)}, which this version does not know${meant}`;
  };
}

export const factsShape = listOf(typed(facts));
export const changesShape = listOf(typed({ ...facts, ...around }));

const { properties, required } = entrySchema;
const due = (required as readonly string[]).filter(name => name !== 'id'); // its place among the others tells it

/** A journal entry before it has its number. That its body is JSON where it says so is left to who wrote it. */
export const newEntryShape = shapeOf(
  { ...entrySchema, properties: { ...properties, id: {} }, required: due },
  { facts: factsShape },
);
