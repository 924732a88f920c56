// What a request is answered whose store failed.
import { STATUS_CODES } from 'node:http';
import { refusals } from '../../operations/refusals.js';
import type { StoreError } from '../store.js';
import type { UnusableSandbox } from './stage.js';

export interface StoreRefusal extends UnusableSandbox {
  readonly status: number;
  readonly title: string;
  /** Seconds. */
  readonly retryAfter: number | undefined;
}

/** 503 for a store that is unavailable, 507 for a change without room. */
export function storeRefusal({ isNoRoom, message, retryAfter }: StoreError): StoreRefusal {
  const code = isNoRoom ? 'no-room' : 'store-unavailable';
  const { status } = refusals[code];
  return { code, status, title: STATUS_CODES[status] ?? '', message: `${message}.`, retryAfter };
}
