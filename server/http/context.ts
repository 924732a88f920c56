// What the middlewares hand on to one another: one typed entry. Nothing else is put on Koa's context.
import type Koa from 'koa';
import type { Body } from '../engine/request/request.js';

/** What koa-bodyparser and its readers throw. */
export interface BodyFailure extends Error {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string;
}

export interface RequestState {
  /** What the request is called in its answer and the log; there from the first middleware on. */
  requestId?: string;
  /** The id of the control endpoint that was asked; `none` where there is none at that path. */
  endpoint?: string;
  /** What came as a body; there from the body readers on. */
  body?: Body;
  /** Whether the connection ends with the answer: not all of the body was read. */
  isLast?: boolean;
  /** Of the body, while it is read: what went wrong. */
  failure?: BodyFailure;
}

export type Middleware = Koa.Middleware<RequestState>;
export type Context = Koa.ParameterizedContext<RequestState>;
