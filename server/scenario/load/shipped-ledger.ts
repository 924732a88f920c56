// The ledger with the evidence of the shipped suites, which `npm run generate` has collected: playing them takes seconds.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Evidence, type Ledger, ledger } from '../../derive/ledger/ledger.js';
import { packageRoot } from './folders.js';

const EVIDENCE_FILE = 'contracts/evidence.json';

/** A new one each time. Users' own scenarios are no part of the evidence. */
export function shippedLedger(): Ledger {
  return ledger(shippedEvidence());
}

/** By the id of each rule, and by `gap=reading`. */
export function shippedEvidence(): Evidence {
  return JSON.parse(readFileSync(join(packageRoot(), EVIDENCE_FILE), 'utf8')) as Evidence; // compared with what the suites show by tests
}
