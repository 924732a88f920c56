// Koa's context, with what the middlewares of one request leave for each other in `ctx.state`.
import type Koa from 'koa';
import type { ApiResponse } from '../../engine/request/api-response.js';
import type { Body } from '../../engine/request/request.js';
import type { Breakage, Result } from '../../engine/request/result.js';

interface State {
  /** When the request came, in `realTime.uptime()`. */
  began?: number;
  /** The `X-Request-Id` of the response. */
  id?: string;
  /** Whether another server responds: nothing of this one is added, counted or logged here. */
  isForwarded?: true;
  /** The body, once it is parsed. */
  body?: Body | undefined;
  /** Of a request to the APIs: its sandbox, the path below the API's prefix, and its result. */
  sandbox?: string;
  path?: string | undefined;
  result?: Result;
  /** A response that a fault breaks, how, and its journal entry. */
  broken?: { readonly breakage: Breakage; readonly response: ApiResponse; readonly entry: number };
}

export type Context = Koa.ParameterizedContext<State>;
export type Middleware = (ctx: Context, next: Koa.Next) => Promise<void>;
