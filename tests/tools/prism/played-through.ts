// Shipped scenarios played through the validating proxy Prism, with what it found of each exchange.

import { inProcess } from '../../../server/library/target/in-process-target.js';
import { defaultReadings } from '../../../server/operations/gaps/gaps.js';
import { Player } from '../../../server/scenario/play/player.js';
import { type Run, readingsOf, runName } from '../../../server/scenario/play/runs.js';
import { assembled } from '../../support/scenarios/shipped-runs.js';
import { kindsOf, type Proxies, through } from './proxied.js';
import type { Exchange } from './validating-proxy.js';

export interface NewJournalEntry extends Exchange {
  readonly run: string;
}

export interface PlayedThrough {
  readonly noted: readonly NewJournalEntry[];
  /** The steps that did not hold. */
  readonly failed: readonly string[];
}

export async function playedThrough(proxies: Proxies, runs: readonly Run[]): Promise<PlayedThrough> {
  const on = await assembled();
  const noted: NewJournalEntry[] = [];
  const failed: string[] = [];
  for (const run of runs) {
    const readings = () => on.session.find('run')?.readings ?? defaultReadings;
    const target = through(proxies, inProcess(on, 'run'), readings, one => noted.push({ ...one, run: runName(run) }));
    for await (const { outcome, step } of new Player(run.loaded, target, { readings: readingsOf(run) }).all())
      if (outcome !== 'passed') failed.push(`${runName(run)}: ${step.say}`);
  }
  on.end();
  return { noted, failed };
}

export function shownExchange({ run, asked, answered, ofResponse }: NewJournalEntry): string {
  return `${run}: ${asked.method} ${asked.path} -> ${answered.status}: ${ofResponse.join('; ')}`;
}

/** How many requests of each scenario depart, under all its readings, and in what. */
export function countedBy(
  exchanges: readonly NewJournalEntry[],
): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const counted: Record<string, Record<string, number>> = {};
  for (const { run, ofRequest } of exchanges) {
    const scenario = run.replace(/ \(.*\)$/, '');
    const kind = kindsOf(ofRequest).join(' and ');
    counted[scenario] ??= {};
    counted[scenario][kind] = (counted[scenario][kind] ?? 0) + 1;
  }
  return counted;
}
