// The shape of a resource of Confluence's or Jira's REST API, an operation object outside the document: it reads, expands and pages, without rules.

import type { World } from '../../domain/world/world.js';
import { type Access, access } from '../access.js';
import type { Endpoint, ReplySpec } from '../endpoint.js';
import type { BodySpec, Example, Operation, ReplyOf, ResourceFamily, Unchecked, Values } from '../operation.js';
import type { Decision, OperationContext, ReplyValue } from '../operation-context.js';
import type { RefusalCode } from '../refusals.js';
import type { Fields } from '../schema.js';
import type { Expandable, ExpansionTree } from './expansion.js';
import type { ResourcePlace } from './paging.js';

/** Parts of a request for resources only. */
export interface ResourceRequest {
  /** Base of links: scheme, host, sandbox and context path of the request, without a trailing slash. */
  readonly base: string;
  /** For log-ins: the path that their cookie is for. */
  readonly cookiePath?: string;
  /** For log-ins: the cookie of a user. */
  readonly sign?: (user: string) => string;
  /** Whether the password was right before: a log-in that is performed again. */
  readonly isProved?: boolean;
}

export const elsewhere: ResourceRequest = Object.freeze({ base: '' });

/** The first part of a resource's id. */
export type Product = 'confluence' | 'jira';

export interface ResourceInput<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

/** The context of a request to a resource, extended for resources. */
export type ResourceContext<I, C extends RefusalCode, A extends ReplyValue> = OperationContext<
  I,
  never,
  C,
  'name-case',
  A
> & {
  readonly request: ResourceRequest;
  /** That of the request. */
  readonly base: string;
  /** The parts to expand. */
  readonly wanted: ExpansionTree;
  /** Where the request was sent, for the links of a page of results. */
  readonly place: ResourcePlace;
};

export interface ResourceDefinition<
  Id extends `${Product}.${string}`,
  P extends Fields,
  Q extends Fields,
  B,
  C extends RefusalCode,
  S extends readonly ReplySpec[],
> extends Endpoint {
  readonly id: Id;
  readonly family: ResourceFamily;
  readonly params?: P;
  /** Query parameters. All are optional: a resource checks itself what it needs. */
  readonly query?: Q;
  readonly body?: BodySpec<B>;
  readonly access: Access;
  readonly expandable?: Expandable;
  /** Default expansions. */
  readonly expanded?: string;
  readonly refusals: readonly C[];
  readonly replies: S;
  readonly examples: readonly Example[];
  /** The product's documentation of the response. */
  readonly source: string;
  /** Members of the product's response that the world lacks; they are omitted. */
  readonly absent: string;
  /** As for operations. */
  isHeavy?(world: World, asked: Unchecked): boolean;
  decide(
    given: ResourceContext<ResourceInput<Values<P>, Values<Q>, B>, C, ReplyOf<S[number]> & Pick<ReplyValue, 'headers'>>,
  ): Decision;
}

/** Declares a resource. `decide` compiles only with declared refusals and replies. */
export function resource<
  const Id extends `${Product}.${string}`,
  P extends Fields,
  Q extends Fields,
  B,
  const C extends RefusalCode,
  const S extends readonly ReplySpec[],
>(definition: ResourceDefinition<Id, P, Q, B, C, S>): ResourceDefinition<Id, P, Q, B, C, S> {
  return definition;
}

/** Any resource, for generic code. */
export interface RestResource
  extends Omit<
    ResourceDefinition<`${Product}.${string}`, Fields, Fields, unknown, RefusalCode, readonly ReplySpec[]>,
    'decide'
  > {
  readonly heading?: undefined;
  decide(given: ResourceContext<ResourceInput<never, never, never>, RefusalCode, ReplyValue>): Decision;
}

export type AnyOperation = Operation | RestResource;

export const forAll = access({
  says: 'Anyone. Without credentials, only public data.',
  rules: {},
  gaps: [],
  refusals: [],
  check: () => undefined,
});
