// Counts of what requests have met since the start: operations, statuses, rules, refusals, and gaps with the deciding readings. Contains no names of
// users and stays small.

import { randomBytes } from 'node:crypto';
import * as Type from '@sinclair/typebox';
import { type Shape, table } from '../../domain/json/shape.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { Result } from '../request/result.js';

const count = Type.Integer({ minimum: 0 });
const counts = (description?: string) => table(count, description);

/** @internal */
export const operationCoverageSchema = Type.Object({
  requests: count,
  injected: Type.Integer({
    minimum: 0,
    description:
      'Requests that a fault answered: they count for no status, rule, refusal or gap unless the fault left the response unchanged.',
  }),
  statuses: counts(),
});
export type OperationCoverage = Shape<typeof operationCoverageSchema>;

/** @internal */
export const readingCoverageSchema = Type.Object({
  requests: Type.Integer({ minimum: 0, description: 'Requests that this reading decided.' }),
  pinned: Type.Integer({
    minimum: 0,
    description: 'Those for which the scenario, the sandbox, the request or the program chose the reading.',
  }),
});
export type ReadingCoverage = Shape<typeof readingCoverageSchema>;

/** @internal */
export const coverageSchema = Type.Object(
  {
    mark: Type.String({ description: 'Mark of this moment, for `since`.' }),
    requests: Type.Integer({
      minimum: 0,
      description: 'Requests in the sandboxes of this process, including dropped ones.',
    }),
    operations: table(operationCoverageSchema, 'Requests by operation; `none`: no operation.'),
    rules: counts('Requests by deciding rule.'),
    refusals: counts('Requests by refusal code.'),
    gaps: table(table(readingCoverageSchema), 'Requests by gap and deciding reading.'),
  },
  { title: 'Coverage' },
);
export type Coverage = Shape<typeof coverageSchema>;

/** Maximum number of names in one place; later ones count as `other`: faults may use any status, `context-path` any literal. */
const MAX_NAMES = 64;
const OTHER = 'other';

export const COVERAGE_MARK = '^[0-9a-f]{8}-[0-9]{1,15}$';

const MAX_MARKS = 64;

/** The counts while they grow. All names are of the catalogue, except literal readings, which begin with a slash. */
interface Counts {
  requests: number;
  readonly operations: Table<{ requests: number; injected: number; readonly statuses: Table<number> }>;
  readonly rules: Table<number>;
  readonly refusals: Table<number>;
  readonly gaps: Table<Table<{ requests: number; pinned: number }>>;
}
type Table<V> = Record<string, V>;

/** What counts of the result of a request. */
export interface CoverageCounts extends Pick<Result, 'operation' | 'refused' | 'rules'> {
  readonly response: { readonly status: number };
  readonly gaps: Readonly<Record<string, string>>;
  /** Absent: the request was not for a resource of Confluence or Jira. */
  readonly product?: unknown;
  /** Absent: it is the response of the operation itself. */
  readonly injected?: unknown;
}

/** Counts requests: those of all sandboxes of a process, dropped ones included, or those of a play. */
export class CoverageCounter {
  readonly #id = randomBytes(4).toString('hex');
  readonly #marks = new Map<string, Coverage>();
  readonly #counts: Counts = { requests: 0, operations: {}, rules: {}, refusals: {}, gaps: {} };

  get requests(): number {
    return this.#counts.requests;
  }

  /** `pins`: the readings chosen for this request, its sandbox, its scenario or by the program. */
  count(result: CoverageCounts, pins: readonly SomeReadings[]): void {
    const { operation = 'none', response, rules, refused, gaps, injected, product } = result;
    const counts = this.#counts;
    counts.requests += 1;
    counts.operations[operation] ??= { requests: 0, injected: 0, statuses: {} };
    const counter = counts.operations[operation];
    counter.requests += 1;
    if (injected === undefined) increase(counter.statuses, knownName(counter.statuses, String(response.status)));
    else counter.injected += 1;
    if (product !== undefined) return; // no evidence about the document
    for (const rule of rules) increase(counts.rules, rule);
    if (refused !== undefined) increase(counts.refusals, refused);
    for (const gap in gaps) {
      counts.gaps[gap] ??= {};
      const readings = counts.gaps[gap];
      const reading = knownName(readings, gaps[gap] ?? OTHER);
      readings[reading] ??= { requests: 0, pinned: 0 };
      readings[reading].requests += 1;
      if (pins.some(pin => pin[gap as keyof SomeReadings] !== undefined)) readings[reading].pinned += 1;
    }
  }

  /** The counts up to now, or since a mark; `undefined`: unknown mark. Creates a mark. */
  coverage(): Coverage;
  coverage(since: string | undefined): Coverage | undefined;
  coverage(since?: string): Coverage | undefined {
    const now = this.present();
    const before = since === undefined ? undefined : this.#marks.get(since);
    this.#marks.delete(now.mark);
    for (const oldest of this.#marks.keys()) {
      if (this.#marks.size < MAX_MARKS) break;
      this.#marks.delete(oldest);
    }
    this.#marks.set(now.mark, now);
    return since === undefined ? now : before && combined(now, before, -1);
  }

  /** The counts up to now, without keeping a mark. */
  present(): Coverage {
    return { mark: `${this.#id}-${this.requests}`, ...structuredClone(this.#counts) };
  }
}

function increase(counts: Table<number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** The name itself, unless there are too many. */
function knownName(counts: object, name: string): string {
  return Object.hasOwn(counts, name) || Object.keys(counts).length < MAX_NAMES ? name : OTHER;
}

/** The sum over several processes. The mark of the first is kept, for its own process. */
export function addCoverage(all: readonly Coverage[]): Coverage {
  return all.reduce((sum, next) => combined(sum, next, 1));
}

type Counted = number | { readonly [name: string]: Counted };

function combined({ mark, ...one }: Coverage, { mark: _, ...other }: Coverage, sign: 1 | -1): Coverage {
  return { mark, ...(sum(one, other, sign) as Omit<Coverage, 'mark'>) }; // of the same form
}

/** Adds or subtracts the numbers in two values of one form; either may be absent. Names without any requests are omitted. */
function sum(one: Counted | undefined, other: Counted | undefined, sign: 1 | -1): Counted {
  if (typeof (one ?? other) === 'number') return Number(one ?? 0) + sign * Number(other ?? 0);
  const [ones, others] = [new Map(Object.entries(one ?? {})), new Map(Object.entries(other ?? {}))];
  const sums = [...new Set([...ones.keys(), ...others.keys()])].map(
    name => [name, sum(ones.get(name), others.get(name), sign)] as const,
  );
  const isNamed = !ones.has('requests') && !others.has('requests'); // else they are the members of an object
  return Object.fromEntries(isNamed ? sums.filter(([, value]) => !isNothing(value)) : sums);
}

function isNothing(value: Counted): boolean {
  if (typeof value === 'number') return value === 0;
  return 'requests' in value ? value.requests === 0 : Object.keys(value).length === 0;
}
