// What reaches an operation besides what its own object names: the rules and gaps of address, caller, expand, query and body.
// Knows the steps of the engine by name; how they decide is theirs.
import { type RefusalCode, refusalSpec, refusals } from '../domain/refusals.js';
import { addressRules } from '../operations/address.js';
import { operations } from '../operations/catalog.js';
import { expandRules } from '../operations/expand.js';
import { type GapId, gapIds, isGapId, type Readings } from '../operations/gaps.js';
import type { Operation, ReplySpec } from '../operations/operation.js';
import type { Rules } from '../operations/rule.js';
import type { JsonSchema } from '../operations/schema.js';

/** Where a refusal comes from: a step before the operation, its access, or its own decision. */
export type Step = (typeof steps)[number]['name'] | 'access' | 'decision';

interface StepSpec {
  readonly name: string;
  readonly refusals: readonly RefusalCode[];
  readonly gaps: readonly GapId[];
  /** Whether a request to this operation can be refused here once its path and method have led to it. */
  concerns(operation: Operation): boolean;
}

const all = () => true;
const none = () => false;
const takesBody = ({ body }: Operation) => body !== undefined;
const takesQuery = ({ query }: Operation) => query !== undefined;

/** In the order in which a request comes through them. */
const steps = [
  { name: 'sandbox', refusals: ['sandbox-name', 'sandbox-unknown'], gaps: [], concerns: all },
  // An affair of the fake, which no API promises: no document of an operation tells it.
  { name: 'store', refusals: ['store-unavailable'], gaps: [], concerns: none },
  { name: 'readings', refusals: ['unknown-reading'], gaps: [], concerns: all },
  {
    name: 'address',
    refusals: ['bad-address', 'wrong-case', 'context-not-served', 'prefix-not-served'],
    gaps: [],
    concerns: none,
  },
  { name: 'path', refusals: ['undecodable-path'], gaps: [], concerns: ({ params }) => params !== undefined },
  {
    name: 'method',
    refusals: ['method-not-allowed', 'heading-method-not-served', 'view-post-ambiguous'],
    gaps: [],
    concerns: none,
  },
  { name: 'credentials', refusals: ['bad-credentials'], gaps: ['bad-credentials'], concerns: all },
  { name: 'expand', refusals: ['unknown-expand'], gaps: ['expand-unknown'], concerns: all },
  { name: 'query', refusals: ['query-undecodable', 'missing-field'], gaps: ['missing-field'], concerns: takesQuery },
  {
    name: 'query-values',
    refusals: ['query-shape'],
    gaps: [],
    concerns: ({ query = {} }) => Object.values(query).some(({ json }) => json.type === 'boolean'),
  },
  { name: 'size', refusals: ['body-too-large'], gaps: [], concerns: all },
  {
    name: 'body',
    refusals: [
      'body-encoding',
      'body-cut-short',
      'body-content-type',
      'body-empty',
      'body-not-utf8',
      'body-not-json',
      'body-shape',
      'unknown-field',
    ],
    gaps: ['content-type', 'unknown-field'],
    concerns: takesBody,
  },
  {
    name: 'body-fields',
    refusals: ['body-absent', 'missing-field'],
    gaps: ['missing-field'],
    concerns: ({ body }) => body !== undefined && body.schema.json.allOf === undefined,
  },
  {
    name: 'recipients',
    refusals: ['ppf-no-recipient'],
    gaps: [],
    concerns: operation => keeps(operation, 'ppf.needs-recipient'),
  },
  { name: 'items', refusals: ['ppf-no-item'], gaps: [], concerns: operation => keeps(operation, 'ppf.needs-item') },
] as const satisfies readonly StepSpec[];

/** A refusal that a request to an operation can meet, with the step that gives it. */
export interface Source {
  readonly code: RefusalCode;
  readonly step: Step;
}

/** Every refusal that a request to the operation can meet under some readings, once path and method have led to it. */
export function refusalsOf(operation: Operation): Source[] {
  const before = steps
    .filter(step => step.concerns(operation))
    .flatMap(({ name, refusals }) => refusals.map(code => ({ code, step: name })));
  const access = operation.access.refusals.map(code => ({ code, step: 'access' }) as const);
  const own = operation.refusals.map(code => ({ code, step: 'decision' }) as const);
  const found: Source[] = [...before, ...access, ...own];
  return found.filter(({ code }, i) => found.findIndex(other => other.code === code) === i);
}

/** The steps that can give a refusal, whatever the operation. */
export function stepsGiving(code: RefusalCode): Step[] {
  const before = steps.filter(step => (step.refusals as readonly RefusalCode[]).includes(code)).map(({ name }) => name);
  const access = operations.some(operation => operation.access.refusals.includes(code));
  const own = operations.some(operation => operation.refusals.includes(code));
  return [...before, ...(access ? (['access'] as const) : []), ...(own ? (['decision'] as const) : [])];
}

/** The status that a refusal has under the readings; `undefined` where they rule it out. */
export function statusUnder(code: RefusalCode, readings: Readings): number | undefined {
  const { status, gap, unless } = refusalSpec(code);
  if (gap === undefined || !isGapId(gap)) return Number(status);
  const reading = readings[gap];
  if (unless?.includes(reading)) return undefined;
  if (status === 'as-read') return /^\d{3}$/.test(reading) ? Number(reading) : undefined;
  return unless !== undefined || reading === String(status) ? status : undefined;
}

/** The replies that an operation can give under the readings. */
export function repliesUnder({ replies }: Operation, readings: Readings): ReplySpec[] {
  return replies.filter(({ under = {} }) =>
    Object.entries(under).every(([gap, reading]) => !isGapId(gap) || readings[gap] === reading),
  );
}

/** Every rule that can apply to a request to the operation: its own, and those of addresses, of JSON and of `expand`. */
export function rulesOf(operation: Operation): Rules {
  const {
    'address.extension-path': wiki,
    'address.ppf-path': ppf,
    'address.json-bodies': json,
    ...others
  } = addressRules;
  return {
    ...others,
    ...(operation.family === 'wiki' ? { 'address.extension-path': wiki } : { 'address.ppf-path': ppf }),
    ...(operation.body !== undefined && { 'address.json-bodies': json }),
    ...expandRules,
    ...operation.rules,
  };
}

/** Every gap whose reading can decide about a request to the operation, in the order of the ledger. */
export function gapsOf(operation: Operation): GapId[] {
  const { family, heading, body } = operation;
  const asked = new Set<GapId>([
    ...operation.gaps,
    ...operation.access.gaps,
    ...steps.filter(step => step.concerns(operation)).flatMap(({ gaps }): readonly GapId[] => gaps),
    'context-path',
    ...(family === 'wiki' ? (['wiki-prefix', 'wiki-error-body'] as const) : (['ppf-error-body'] as const)),
    ...[heading?.gap, body?.alias?.gap, body?.emptyLists?.gap].filter(gap => gap !== undefined),
  ]);
  return gapIds.filter(id => asked.has(id));
}

/** What an operation is about: the first part of its id. */
export function resource({ id }: Operation): string {
  return id.split('.', 1)[0] ?? id;
}

/** The codes of the table, in its order. */
export const refusalCodes = Object.keys(refusals) as RefusalCode[]; // the keys of the table

function keeps({ body }: Operation, rule: string): boolean {
  const constraints = (body?.schema.json.allOf ?? []) as readonly JsonSchema[]; // as the schema builder writes them
  return constraints.some(constraint => constraint['x-rule'] === rule);
}
