// The ledger with the evidence of the shipped suites, collected by the build: playing them takes seconds.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Evidence, type Ledger, ledger } from '../../derive/ledger/ledger.js';
import { packageRoot } from '../files/folders.js';

const EVIDENCE_FILE = 'dist/contracts/evidence.json';

/** A new copy each time. Users' own scenarios are not evidence. */
export function shippedLedger(): Ledger {
  return ledger(shippedEvidence());
}

/** By rule id, and by `gap=reading`. */
export function shippedEvidence(): Evidence {
  return JSON.parse(readFileSync(join(packageRoot(), EVIDENCE_FILE), 'utf8')) as Evidence; // as the build writes it
}
