// The shape of an operation: one endpoint, one declarative object. Routing, validation, documents and clients are derived from it.
// Knows no operation, no HTTP library and no validator.
import type { RefusalCode } from '../domain/refusals.js';
import type { Access } from './access.js';
import type { Rules } from './document/rule.js';
import type { GapId, SomeReadings } from './gaps/gaps.js';
import type { Decision, OperationContext, ReplyValue } from './operation-context.js';
import type { Described, Fields, Schema } from './schema.js';

export type Family = 'wiki' | 'ppf';
/** The REST modules of the two hosts (design 14): the wiki's, the tracker's, and the one of the tracker's sessions. */
export type HostFamily = 'wiki-host' | 'tracker-host' | 'tracker-auth';
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One answer that an operation can give when it accepts. */
export interface ReplySpec {
  readonly status: number;
  readonly when: string;
  /** Absent: there is no body. */
  readonly body?: Schema<unknown>;
  /** The readings that it takes to get this answer. */
  readonly under?: SomeReadings;
}
export type ReplyOf<S> = S extends { readonly status: infer N extends number }
  ? S extends { readonly body: infer B }
    ? { readonly status: N; readonly body: Described<B> }
    : { readonly status: N }
  : never;

/** The method of the heading, where it differs from the request line, and the reading under which it is served. */
export interface Heading {
  readonly method: Method;
  readonly gap: 'heading-methods' | 'view-post';
  readonly reading: string;
}

export interface BodySpec<B> {
  readonly schema: Schema<B>;
  /** Another name for a field, taken under a reading. */
  readonly alias?: {
    readonly name: string;
    readonly of: string;
    readonly gap: 'all-group-field';
    readonly reading: string;
    readonly rule: string;
  };
  /** Lists that count as left out when they are empty, under a reading: each group of names is one "at least one of". */
  readonly emptyLists?: {
    readonly gap: 'ppf-empty-arrays';
    readonly absent: string;
    readonly groups: readonly (readonly string[])[];
  };
}

/** The form of a query parameter's text, under a reading. */
export interface QueryPattern {
  readonly gap: GapId;
  readonly reading: string;
  readonly pattern: RegExp;
}

/** A request with its answer on the default world (`small-team`), for documents; a test sends each of them. */
export interface Example {
  readonly title: string;
  /** A user of the world; left out, the caller is anonymous. */
  readonly as?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answer: { readonly status: number; readonly body?: unknown };
}

export interface Input<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}
export type Values<F> = { readonly [K in keyof F]: Described<F[K]> };

export interface Definition<
  Id extends string,
  P extends Fields,
  Q extends Fields,
  B,
  R extends string,
  C extends RefusalCode,
  G extends GapId,
  S extends readonly ReplySpec[],
> {
  readonly id: Id;
  readonly family: Family;
  readonly summary: string;
  readonly method: Method;
  readonly heading?: Heading;
  /** Below the prefix of the family, `{name}` standing for a path parameter. */
  readonly path: string;
  readonly params?: P;
  /** Query parameters, all of them due unless `missing-field` says otherwise. */
  readonly query?: Q;
  /** What `decide` refuses of the text of a query parameter, for documents. */
  readonly patterns?: { readonly [K in keyof Q]?: QueryPattern };
  /** Absent: the operation reads no body, whatever is sent. */
  readonly body?: BodySpec<B>;
  readonly access: Access;
  readonly rules: Rules<R>;
  /** The refusals that `decide` can give; those of access, address and validation come by themselves. */
  readonly refusals: readonly C[];
  /** The gaps that `decide` can ask for a reading of. */
  readonly gaps: readonly G[];
  readonly replies: S;
  readonly examples: readonly Example[];
  /** Pure: the same world, input, caller, time and readings always give the same decision. */
  decide(given: OperationContext<Input<Values<P>, Values<Q>, B>, R, C, G, ReplyOf<S[number]>>): Decision;
}

/** Declares an operation. What `decide` may name (rules, refusals, gaps, replies) follows from the declaration: anything else does not compile. */
export function operation<
  const Id extends string,
  P extends Fields,
  Q extends Fields,
  B,
  const R extends string,
  const C extends RefusalCode,
  const G extends GapId,
  const S extends readonly ReplySpec[],
>(definition: Definition<Id, P, Q, B, R, C, G, S>): Definition<Id, P, Q, B, R, C, G, S> {
  return definition;
}

/** Any operation, for code that does not care which one it is. The input it is given has been validated against its schemas. */
export interface Operation
  extends Omit<
    Definition<string, Fields, Fields, unknown, string, RefusalCode, GapId, readonly ReplySpec[]>,
    'decide'
  > {
  decide(given: OperationContext<Input<never, never, never>, string, RefusalCode, GapId, ReplyValue>): Decision;
}
