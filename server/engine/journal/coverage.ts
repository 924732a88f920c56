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

interface Counter {
  requests: number;
  pinned: number;
}

interface OperationCounter {
  requests: number;
  injected: number;
  readonly statuses: Map<number, Counter>;
}

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
  readonly #operations = new Map<string, OperationCounter>();
  readonly #rules = new Map<string, Counter>();
  readonly #refusals = new Map<string, Counter>();
  readonly #gaps = new Map<string, Map<string, Counter>>();
  readonly #marks = new Map<string, Coverage>();
  #requests = 0;

  get requests(): number {
    return this.#requests;
  }

  /** `pins`: the readings chosen for this request, its sandbox, its scenario or by the program. */
  count(result: CoverageCounts, pins: readonly SomeReadings[]): void {
    const { operation = 'none', response, rules, refused, gaps, injected, product } = result;
    this.#requests += 1;
    const counter = memberOf(this.#operations, operation, () => ({ requests: 0, injected: 0, statuses: new Map() }));
    counter.requests += 1;
    if (injected === undefined) counterOf(counter.statuses, response.status).requests += 1;
    else counter.injected += 1;
    if (product !== undefined) return; // no evidence about the document
    for (const rule of rules) counterOf(this.#rules, rule).requests += 1;
    if (refused !== undefined) counterOf(this.#refusals, refused).requests += 1;
    for (const gap in gaps) {
      const counter = counterOf(
        memberOf(this.#gaps, gap, () => new Map()),
        gaps[gap] ?? OTHER,
      );
      counter.requests += 1;
      for (let i = 0; i < pins.length; i += 1) {
        if (pins[i]?.[gap as keyof SomeReadings] === undefined) continue;
        counter.pinned += 1;
        break;
      }
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
    return {
      mark: `${this.#id}-${this.#requests}`,
      requests: this.#requests,
      operations: object(this.#operations, ({ requests, injected, statuses }) => ({
        requests,
        injected,
        statuses: object(statuses, counter => counter.requests),
      })),
      rules: object(this.#rules, counter => counter.requests),
      refusals: object(this.#refusals, counter => counter.requests),
      gaps: object(this.#gaps, readings => object(readings, ({ requests, pinned }) => ({ requests, pinned }))),
    };
  }
}

function counterOf<K>(counters: Map<K | typeof OTHER, Counter>, name: K): Counter {
  const key = counters.has(name) || counters.size < MAX_NAMES ? name : OTHER;
  return memberOf<K | typeof OTHER, Counter>(counters, key, () => ({ requests: 0, pinned: 0 }));
}

/** The value of a key, which is made if it is not there. */
function memberOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function object<K, A, B>(map: ReadonlyMap<K, A>, write: (value: A) => B): Record<string, B> {
  return Object.fromEntries([...map].map(([name, value]) => [String(name), write(value)]));
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
