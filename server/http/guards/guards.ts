// The guards of all requests, in one list: each may refuse a request before its body is read.
import type { Log } from '../../engine/log.js';
import type { Exchange } from '../exchange/exchange.js';
import type { ProblemDetails } from '../exchange/problem-details.js';
import { refuse } from '../exchange/refuse.js';
import type { Response } from '../exchange/response.js';
import { strangerProblem } from './control-gate.js';
import type { Cors } from './cors.js';
import { hostGuard } from './host-guard.js';
import { framingProblem } from './malformed.js';

/** The refusal of a request, or another response before any API. */
type Guard = (exchange: Exchange) => ProblemDetails | Response | undefined;

export interface GuardSettings {
  /** Allowed hosts besides the server's own address and loopback names; `any`: all. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may use the operations. */
  readonly cors: Cors;
  /** Whether requests to another server are guarded too. Otherwise that server decides. */
  readonly guardsForwarded: boolean;
  /** The token of the control API, if any. */
  readonly token: string | undefined;
  readonly log: Log;
}

export type Guards = (exchange: Exchange) => Response | undefined;

export function guardsOf({ allowedHosts, cors, guardsForwarded, token, log }: GuardSettings): Guards {
  const hostProblem = hostGuard(allowedHosts);
  const isOpen = ({ route: { kind } }: Exchange) => kind === 'operation' || (kind === 'forwarded' && guardsForwarded);
  const guards: readonly Guard[] = [
    ({ route }) => (route.kind === 'malformed' ? route.problem : undefined),
    ({ ctx }) => framingProblem(ctx),
    ({ ctx }) => hostProblem(ctx),
    exchange => (isOpen(exchange) && cors.isPreflight(exchange.ctx) ? cors.preflightResponse(exchange.ctx) : undefined),
    exchange => (isOpen(exchange) ? cors.problemIn(exchange.ctx.req) : undefined),
    ({ ctx, route }) => (route.kind === 'action' ? strangerProblem(ctx, token) : undefined),
  ];
  return exchange => {
    for (const guard of guards) {
      const refused = guard(exchange);
      if (refused === undefined) continue;
      if ('isLast' in refused) exchange.isLast = true;
      return 'title' in refused ? refuse(exchange, refused, log) : refused;
    }
    return undefined;
  };
}
