// The shapes of changes and journal entries as a store keeps them.
import type { FactType } from '../../domain/facts.js';
import { isObject } from '../../domain/form/patch.js';
import type { Armed } from '../faults/fault.js';
import { faultSchema } from '../faults/fault-schema.js';
import { entrySchema } from '../journal/entry-schema.js';
import { factSchema, factSchemas, patchSchema } from '../journal/fact-schema.js';
import { nearest } from '../nearest.js';
import { checkReadings } from '../request/readings.js';
import { found } from '../request/validate.js';
import type { Clock } from '../sandbox/clock.js';
import type { Change } from '../sandbox/state.js';
import {
  count,
  counts,
  instant,
  listOf,
  type Members,
  maybe,
  mustBe,
  objectOf,
  pageText,
  type Shape,
  shapeOf,
  text,
} from './shape.js';
import { pageTexts, worldSchema } from './world-schema.js';

/** The shape of each change that is no fact; the compiler checks that none is missing. */
type Table<Of extends { readonly type: string }> = {
  readonly [T in Of['type']]: Members<Omit<Extract<Of, { type: T }>, 'type'>>;
};

/** The first and the last millisecond of a Date. */
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

const largeTexts = Object.values(pageTexts).map(schema => [schema, pageText] as const);

/** A merge-patch of a world, and thus a whole world. References between records are not checked. */
export const patchShape = shapeOf(worldSchema, { own: new Map(largeTexts), isPatch: true });
const own = new Map([...largeTexts, [patchSchema, patchShape] as const]);

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

/** A tagged value: its members depend on `type`. */
function typed(shapes: ReadonlyMap<string, Shape>): Shape {
  return value => {
    if (!isObject(value)) return mustBe('an object', value);
    const { type } = value;
    const shape = typeof type === 'string' ? shapes.get(type) : undefined;
    if (shape !== undefined) return shape(value);
    const meant = typeof type === 'string' ? nearest(type, shapes.keys()) : '';
    return `/type is ${type === undefined ? 'not there' : found(type)}, which this version does not know${meant}`;
  };
}

const facts = Object.entries(factSchemas).map(([type, schema]) => [type, shapeOf(schema, { own })] as const);
const others = Object.entries<Members<object>>(around).map(([type, members]) => [type, objectOf(members)] as const);
export const changesShape = listOf(typed(new Map([...facts, ...others])));

const { properties, required } = entrySchema;
const due = (required as readonly string[]).filter(name => name !== 'id'); // its place among the others tells it

/** A journal entry before it has its number. That its body is JSON where it says so is left to who wrote it. */
export const newEntryShape = shapeOf(
  { ...entrySchema, properties: { ...properties, id: {} }, required: due },
  { own: new Map([[factSchema, typed(new Map(facts))]]) },
);
