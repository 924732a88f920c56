// Finds where a request leads, once: to an operation or resource, to another server, to a page, or to an action.
import type { ControlRoutes } from './control/control-routes.js';
import type { PageRoute, Route } from './exchange/route.js';
import type { Forwarder } from './forwarding/forwarder.js';
import { targetProblem } from './guards/malformed.js';
import type { Context } from './incoming/context.js';
import { findPlace } from './incoming/find-endpoint.js';
import { targetOf } from './incoming/request-target.js';

export interface Destinations {
  /** Whether to serve the REST APIs of Confluence and Jira. */
  readonly restApi: boolean;
  /** Forwards requests to another server. Absent: nothing is forwarded. */
  readonly forwarder: Forwarder | undefined;
  readonly pages: readonly PageRoute[];
  /** Absent: there is no control API. */
  readonly control: ControlRoutes | undefined;
}

export function classifyRequest(ctx: Context, { restApi, forwarder, pages, control }: Destinations): Route {
  const problem = targetProblem(ctx);
  if (problem !== undefined) return { kind: 'malformed', problem };
  const { path } = targetOf(ctx);
  const place = findPlace(path, restApi);
  if (forwarder?.concerns(path, place)) return { kind: 'forwarded', place };
  if (place.endpoint !== undefined) return { kind: 'operation', place };
  const { method = '' } = ctx.req;
  const page = pages.find(one => one.concerns(path, method));
  if (page !== undefined) return { kind: 'page', page };
  return control?.routeOf(path, method) ?? { kind: 'operation', place };
}
