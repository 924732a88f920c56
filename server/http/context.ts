// What the middlewares hand on to one another: one typed entry. Nothing else is put on Koa's context.
import type Koa from 'koa';
import type { Result } from '../engine/request/perform.js';
import type { Body } from '../engine/request/request.js';
import type { Address } from '../operations/address.js';

/** What koa-bodyparser and its readers throw. */
export interface BodyFailure extends Error {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string;
}

export interface RequestState {
  /** What the request is called in its answer and the log; there from the first middleware on. */
  requestId?: string;
  /** Whether it brought that name itself. */
  isNamed?: boolean;
  /** What came of it, where it was performed in a sandbox. */
  performance?: Result;
  /** The id of the control endpoint that was asked; `none` where there is none at that path. */
  endpoint?: string;
  /** What came as a body; there from the body readers on. */
  body?: Body;
  /** Where the path leads, when it is an address of an operation; there from the operation routes on. */
  address?: Address;
  /** Of the body, while it is read: what went wrong. */
  failure?: BodyFailure;
}

export type Middleware = Koa.Middleware<RequestState>;
export type Context = Koa.ParameterizedContext<RequestState>;
