// Parses the target of a request like Koa, but faster for plain targets.
import type { Context } from './context.js';

/** Characters that Koa treats specially. */
const SPECIAL = /[#\\\s]/; // \s includes Unicode blanks and marks

/** Whether a target is an unambiguous path with an optional query. */
export function isPlain(url: string): boolean {
  return url.charCodeAt(0) === 47 && !SPECIAL.test(url);
}

export interface RequestTarget {
  readonly path: string;
  readonly query: string;
}

export function targetOf(ctx: Context): RequestTarget {
  const { url = '' } = ctx.req;
  return isPlain(url) ? splitTarget(url) : { path: ctx.path, query: ctx.querystring };
}

/** The path and query of a plain target. */
export function splitTarget(url: string): RequestTarget {
  const mark = url.indexOf('?');
  return mark === -1 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}
