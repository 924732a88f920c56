// One exchange: a request on its way through the pipeline, with what each step has found.

import { realTime } from '../../engine/real-time.js';
import type { Body } from '../../engine/request/request.js';
import type { Result } from '../../engine/request/result.js';
import type { Context } from '../incoming/context.js';
import { requestIdIn } from '../incoming/request-ids.js';
import type { Response } from './response.js';
import type { Route } from './route.js';

export const ABSENT: Body = { kind: 'absent' };

/** A body, the bytes of a whole one, or why there is none. Bytes are parsed as late as possible, because parsed JSON needs more memory. */
export type Arrival = Body | Buffer | Error;

export class Exchange {
  /** Monotonic milliseconds. */
  readonly began = realTime.uptime();
  /** The `X-Request-Id` of the request. */
  readonly givenId: string | undefined;
  /** The `X-Request-Id` of the response, once it is written. */
  id: string | undefined = undefined;
  /** What was read, until it is decided. */
  arrival: Arrival = ABSENT;
  body: Body = ABSENT;
  /** Whether it has waited for its turn among heavy work. */
  isAdmitted = false;
  /** Whether the connection closes after the response, because the body was not read to its end. */
  isLast = false;
  /** Of a request to an operation: the sandbox, its result, and the response until it is written. */
  sandbox: string | undefined = undefined;
  result: Result | undefined = undefined;
  response: Response | undefined = undefined;

  constructor(
    readonly ctx: Context,
    public route: Route,
  ) {
    this.givenId = requestIdIn(ctx.req.headers);
  }

  /** The name of its endpoint in the metrics, besides operations. */
  get endpoint(): string | undefined {
    const { route } = this;
    if (route.kind === 'page') return route.page.id;
    return route.kind === 'action' ? (route.action?.id ?? 'none') : undefined;
  }
}
