// The format of refusals before any API: short problems (RFC 9457).
import type { Context } from '../context.js';

export const PROBLEM = 'application/problem+json';

/** A refusal. */
export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Whether to close the connection, because the next bytes cannot be interpreted. */
  readonly isLast?: true;
}

/** The body of a refusal. */
export function problemText(status: number, title: string, detail: string): string {
  return JSON.stringify({ status, title, detail });
}

export function badRequest(detail: string): Problem {
  return { status: 400, title: 'Bad Request', detail };
}

export function refuse(ctx: Context, status: number, title: string, detail: string): void {
  ctx.set('Content-Type', PROBLEM);
  ctx.body = problemText(status, title, detail);
  ctx.status = status;
}
