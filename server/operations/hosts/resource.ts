// The shape of a host's own resource (design 14): an operation object that is no part of the document. It reads, expands and pages; it keeps no rule.
import type { RefusalCode } from '../../domain/refusals.js';
import type { Access } from '../access.js';
import type { GapId } from '../gaps/gaps.js';
import type { BodySpec, Example, HostFamily, Method, Operation, ReplyOf, ReplySpec, Values } from '../operation.js';
import type { Decision, OperationContext, ReplyValue } from '../operation-context.js';
import type { Fields } from '../schema.js';
import type { Expandable, Wanted } from './expansion.js';

/** What only a resource of a host needs of a request. */
export interface HostRequest {
  /** Scheme, host, sandbox and context path by which the request came, without a slash at the end: links begin with it. */
  readonly base: string;
  /** The key of the session that the request showed. */
  readonly session?: string | undefined;
  /** A session that nobody has yet, for whoever begins one: the value of its cookie, and its key. `isProved`: a log-in that is performed again. */
  readonly fresh?: { readonly value: string; readonly key: string; readonly isProved?: true } | undefined;
}

export const elsewhere: HostRequest = Object.freeze({ base: '' });

export interface HostInput<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

/** One request to one resource: the context of any operation, and what only a host needs. */
export type HostContext<I, C extends RefusalCode, A extends ReplyValue> = OperationContext<I, never, C, never, A> & {
  readonly request: HostRequest;
  /** That of the request. */
  readonly base: string;
  /** What the answer is to show in full. */
  readonly wanted: Wanted;
};

export interface ResourceDefinition<
  Id extends `hosts.${string}`,
  P extends Fields,
  Q extends Fields,
  B,
  C extends RefusalCode,
  S extends readonly ReplySpec[],
> {
  readonly id: Id;
  readonly family: HostFamily;
  readonly summary: string;
  readonly method: Method;
  /** Below the prefix of the family, `{name}` standing for a path parameter. */
  readonly path: string;
  readonly params?: P;
  /** Query parameters. All may be left out: a resource says itself what it cannot do without. */
  readonly query?: Q;
  readonly body?: BodySpec<B>;
  readonly access: Access;
  readonly expandable?: Expandable;
  /** What is expanded where the request does not say. */
  readonly expanded?: string;
  readonly refusals: readonly C[];
  readonly replies: S;
  readonly examples: readonly Example[];
  /** Where the host's answer is documented. */
  readonly source: string;
  /** What the host's answer has and the world does not, so that it is left out. */
  readonly absent: string;
  decide(
    given: HostContext<HostInput<Values<P>, Values<Q>, B>, C, ReplyOf<S[number]> & Pick<ReplyValue, 'headers'>>,
  ): Decision;
}

/** Declares a resource. What `decide` may refuse and reply follows from the declaration: anything else does not compile. */
export function resource<
  const Id extends `hosts.${string}`,
  P extends Fields,
  Q extends Fields,
  B,
  const C extends RefusalCode,
  const S extends readonly ReplySpec[],
>(definition: ResourceDefinition<Id, P, Q, B, C, S>): ResourceDefinition<Id, P, Q, B, C, S> {
  return definition;
}

/** Any resource, for code that does not care which one it is. */
export interface HostResource
  extends Omit<
    ResourceDefinition<`hosts.${string}`, Fields, Fields, unknown, RefusalCode, readonly ReplySpec[]>,
    'decide'
  > {
  readonly heading?: undefined;
  decide(given: HostContext<HostInput<never, never, never>, RefusalCode, ReplyValue>): Decision;
}

export type AnyOperation = Operation | HostResource;

export function isResource(operation: AnyOperation): operation is HostResource {
  return operation.id.startsWith('hosts.');
}

/** No gap but those of the stages decides about a host. */
export type HostGap = Extract<GapId, 'bad-credentials' | 'expand-unknown'>;
