// The form of the refusals that come before any API: problems (RFC 9457), short. Knows no guard, and nothing that would let somebody in.
import type { StoreError } from '../engine/store.js';
import type { Context } from './context.js';

export const PROBLEM = 'application/problem+json';

/** The body of a refusal. */
export function problemText(status: number, title: string, detail: string): string {
  return JSON.stringify({ status, title, detail });
}

/** Seconds after which it is worth while to ask again a store that was away. */
const RETRY_AFTER = 1;

/** Says when to try again, where time may help. */
export function retryLater(ctx: Context, { failure }: StoreError): void {
  if (failure === 'away' || failure === 'full' || failure === 'busy') ctx.set('Retry-After', String(RETRY_AFTER));
}

export function refuse(ctx: Context, status: number, title: string, detail: string): void {
  ctx.set('Content-Type', PROBLEM);
  ctx.body = problemText(status, title, detail);
  ctx.status = status;
}
