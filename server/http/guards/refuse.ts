// The form of the refusals that come before any API: problems (RFC 9457), short. Knows no guard, and nothing that would let somebody in.
import type { Context } from '../context.js';

export const PROBLEM = 'application/problem+json';

/** Why a request is refused. */
export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Whether the connection ends with the answer: what follows on it cannot be told apart. */
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
