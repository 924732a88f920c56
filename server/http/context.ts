// The typed state that middlewares share on Koa's context.
import type Koa from 'koa';
import type { Body } from '../engine/request/request.js';

/** An error of koa-bodyparser and its readers. */
export interface BodyFailure extends Error {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string;
}

export interface RequestState {
  /** The id of the request in its answer and the log; set by the first middleware. */
  requestId?: string;
  /** The id of the control endpoint; `none` if the path is unknown. */
  endpoint?: string;
  /** The body; set by the body readers. */
  body?: Body;
  /** Whether to close the connection after the answer, because the body was not read to its end. */
  isLast?: boolean;
  /** Why the body could not be read. */
  failure?: BodyFailure;
}

export type Middleware = Koa.Middleware<RequestState>;
export type Context = Koa.ParameterizedContext<RequestState>;
