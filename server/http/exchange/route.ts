// Where a request leads: found once, when its head has arrived.
import type { Action } from '../../control/actions/action.js';
import type { OrLater } from '../../engine/store.js';
import type { Context } from '../incoming/context.js';
import type { EndpointPlace } from '../incoming/find-endpoint.js';
import type { ProblemDetails } from './problem-details.js';
import type { Response } from './response.js';

/** A page outside of the APIs. */
export interface PageRoute {
  /** Its name in the metrics; absent: it counts as no endpoint. */
  readonly id?: string;
  concerns(path: string, method: string): boolean;
  respond(ctx: Context): OrLater<Response>;
}

/** A path of the control API. */
export type ControlRoute = {
  readonly kind: 'action';
  /** Whether refusals are logged. */
  readonly isUnwatched: boolean;
} & (
  | { readonly action: Action; readonly params: Readonly<Record<string, string>> }
  /** There is no action: the response to an unknown path, to another method, or to OPTIONS. */
  | { readonly action?: undefined; readonly otherwise: () => ProblemDetails | Response }
);

export type Route =
  /** Neither a path nor a method of HTTP. */
  | { readonly kind: 'malformed'; readonly problem: ProblemDetails }
  /** To an operation, to a resource of Confluence or Jira, or to nothing in an API. */
  | { readonly kind: 'operation'; readonly place: EndpointPlace }
  | ControlRoute
  | { readonly kind: 'page'; readonly page: PageRoute }
  /** To another server. */
  | { readonly kind: 'forwarded'; readonly place: EndpointPlace };
