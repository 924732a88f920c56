// The target of a request, read as Koa reads it, but for what it costs where there is nothing to be careful about.
import type { Context } from '../context.js';

/** What Koa leaves to a slower reader, or turns into something else. */
const SPECIAL = /[#\\\s]/; // \s has the marks and blanks of Unicode too

/** Whether a target is a path that begins with a slash, and a query perhaps, without anything that could be read in two ways. */
export function isPlain(url: string): boolean {
  return url.charCodeAt(0) === 47 && !SPECIAL.test(url);
}

export interface Target {
  readonly path: string;
  readonly query: string;
}

export function targetOf(ctx: Context): Target {
  const { url = '' } = ctx.req;
  if (!isPlain(url)) return { path: ctx.path, query: ctx.querystring };
  const mark = url.indexOf('?');
  return mark === -1 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}
