// The shape of an operation: one declarative object for each endpoint. Routing, validation, documents and clients derive from it.

import type { World } from '../domain/world/world.js';
import type { Access } from './access.js';
import type { Rules } from './document/rule.js';
import type { Endpoint, EndpointBody, Method, ReplySpec } from './endpoint.js';
import type { GapId } from './gaps/gaps.js';
import type { Decision, OperationContext, ReplyValue } from './operation-context.js';
import type { Refused } from './provenance.js';
import type { RefusalCode } from './refusals.js';
import type { Described, Fields } from './schema.js';

export type Family = 'wiki' | 'ppf';
/** The REST modules of Confluence and Jira, and the one of Jira's sessions. */
export type ResourceFamily = 'confluence' | 'jira' | 'jira-auth';
export type ReplyOf<S> = S extends { readonly status: infer N extends number }
  ? S extends { readonly body: infer B }
    ? { readonly status: N; readonly body: Described<B> }
    : { readonly status: N }
  : never;

/** The method in the heading, if it differs from the request line, and the reading under which it is served. */
export interface Heading {
  readonly method: Method;
  readonly gap: 'heading-methods' | 'view-post';
  readonly reading: string;
}

export interface BodySpec<B> extends EndpointBody<B> {
  /** An alias of a field, accepted under a reading. */
  readonly alias?: {
    readonly name: string;
    readonly of: string;
    readonly gap: 'all-group-field';
    readonly reading: string;
    readonly rule: string;
  };
  /** The gap about unknown fields. Default: that of the wiki. */
  readonly unknownFields?: 'unknown-field' | 'ppf-unknown-field';
  /** Lists that count as absent if empty, under a reading: each group of names is one "at least one of". */
  readonly emptyLists?: {
    readonly gap: 'ppf-empty-arrays';
    readonly absent: string;
    readonly groups: readonly (readonly string[])[];
  };
}

/** Pattern of a query parameter, under a reading. */
export interface QueryPattern {
  readonly gap: GapId;
  readonly reading: string;
  readonly pattern: RegExp;
}

/** An example for documents: a request on the default world (`small-team`) with its response, which a test sends. */
export interface Example {
  readonly title: string;
  /** A user of the world. Default: anonymous. */
  readonly as?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly response: { readonly status: number; readonly body?: unknown };
}

export interface OperationInput<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}
export type Values<F> = { readonly [K in keyof F]: Described<F[K]> };

/** Work on more records is heavy. */
export const MANY = 5_000;
/** Characters that cost as much as a record. */
export const RECORD_TEXT = 20;

/** What is known of a request before it is checked. */
export interface Unchecked {
  readonly params: Readonly<Record<string, string>> | undefined;
  readonly query: ReadonlyArray<readonly [name: string, value: string]>;
  /** Parsed JSON. */
  readonly body: unknown;
}

export interface Definition<
  Id extends string,
  P extends Fields,
  Q extends Fields,
  B,
  R extends string,
  C extends RefusalCode,
  G extends GapId,
  S extends readonly ReplySpec[],
> extends Endpoint {
  readonly id: Id;
  readonly family: Family;
  readonly heading?: Heading;
  readonly params?: P;
  /** Query parameters, all required unless a gap says otherwise. */
  readonly query?: Q;
  /** Patterns that `decide` checks, for documents. */
  readonly patterns?: { readonly [K in keyof Q]?: QueryPattern };
  /** Absent: the operation ignores bodies. */
  readonly body?: BodySpec<B>;
  readonly access: Access;
  readonly rules: Rules<R>;
  /** The refusals of `decide`; those of the stages are added automatically. */
  readonly refusals: readonly C[];
  /** The gaps that `decide` may ask. */
  readonly gaps: readonly G[];
  readonly replies: S;
  readonly examples: readonly Example[];
  /** Whether a request concerns more than `MANY` records, so that it waits in the queue of heavy work. Absent: never. */
  isHeavy?(world: World, asked: Unchecked): boolean;
  /** Refuses what is wrong with the request alone. Pure. */
  check?(
    given: OperationContext<
      NoInfer<OperationInput<Values<P>, Values<Q>, B>>,
      NoInfer<R>,
      NoInfer<C>,
      NoInfer<G>,
      never
    >,
  ): Refused | undefined;
  /** Decides about a request that passed `check`. Pure and deterministic. */
  decide(given: OperationContext<OperationInput<Values<P>, Values<Q>, B>, R, C, G, ReplyOf<S[number]>>): Decision;
}

/** Declares an operation. `decide` compiles only with declared rules, refusals, gaps and replies. */
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

/** Any operation, for generic code. Its input must be valid. */
export interface Operation
  extends Omit<
    Definition<string, Fields, Fields, unknown, string, RefusalCode, GapId, readonly ReplySpec[]>,
    'check' | 'decide'
  > {
  check?(
    given: OperationContext<OperationInput<never, never, never>, string, RefusalCode, GapId, ReplyValue>,
  ): Refused | undefined;
  decide(
    given: OperationContext<OperationInput<never, never, never>, string, RefusalCode, GapId, ReplyValue>,
  ): Decision;
}
