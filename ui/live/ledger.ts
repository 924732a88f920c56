// The ledger, read once: it does not change while a server runs.
import type { Ledger } from '../client/wire.js';
import { client } from './sandbox.js';

let reading: Promise<Ledger> | undefined;

export function readLedger(): Promise<Ledger> {
  reading ??= client.ledger().catch((error: unknown) => {
    reading = undefined;
    throw error;
  });
  return reading;
}
