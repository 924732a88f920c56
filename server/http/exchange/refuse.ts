// Refuses a request before or instead of an API.

import type { Log } from '../../engine/log.js';
import { redactText } from '../../engine/secrets.js';
import type { Exchange } from './exchange.js';
import { type ProblemDetails, problemResponse } from './problem-details.js';
import type { Response } from './response.js';

/** The response to a refused request. It is logged if the client would not show it; the query may contain passwords, so it is left out. */
export function refuse({ ctx, route }: Exchange, problem: ProblemDetails, log: Log): Response {
  if (route.kind === 'action' && route.isUnwatched)
    log.warn(redactText(`${ctx.method} ${ctx.path} returned ${problem.status}: ${problem.detail}`));
  return problemResponse(problem);
}
