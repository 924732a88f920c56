// The result of a request, before its facts are applied.
import type { Fact } from '../../domain/facts.js';
import type { GapId } from '../../operations/gaps/gaps.js';
import type { Caller } from '../../operations/operation-context.js';
import type { RefusalCode } from '../../operations/refusals.js';
import type { Product } from '../../operations/rest-api/resource.js';
import type { ApiResponse } from './api-response.js';
import type { Forwarded } from './forwarded.js';

export interface Breakage {
  /** Delay in milliseconds before anything is sent. */
  readonly delay?: number;
  /** The hold on which everything waits before the delay. */
  readonly hold?: string;
  /** It ends without a response. */
  readonly hangUp?: true;
  /** It ends after this many bytes of the body. */
  readonly truncateAt?: number;
  /** The body comes in pieces of this many bytes, this many milliseconds apart. */
  readonly dribble?: { readonly bytes: number; readonly every: number };
}

/** The fault that replaced a response, or the stub that gave it. */
export interface Injected {
  /** Its name for the journal and `X-Fake-Fault` or `X-Fake-Stub`. */
  readonly name: string;
  readonly breakage: Breakage;
}

/** The result of a request. Its facts have not been applied yet. */
export interface Result {
  readonly response: ApiResponse;
  readonly facts: readonly Fact[];
  readonly operation?: string | undefined;
  readonly caller?: Caller | undefined;
  readonly rules: readonly string[];
  readonly gaps: Readonly<Partial<Record<GapId, string>>>;
  readonly refused?: RefusalCode | undefined;
  readonly expand: readonly string[];
  /** Whose resource answered. Absent: the request was not for a resource of Confluence or Jira. */
  readonly product?: Product | undefined;
  /** Absent: no fault replaced the response. */
  readonly injected?: Injected;
  /** Absent: no stub answered. */
  readonly stub?: Injected;
  /** The stub that nearly responded, and what it lacked. */
  readonly nearestStub?: string;
  /** Absent: this server answered. */
  readonly forwarded?: Forwarded;
}
