// All that is measured of the stores, in one run: what is compared is taken in turns, round by round. What each figure is stands beside it.

import type { Table } from '../../tests/support/measuring/table.js';
import type { Effort } from '../harness/rounds.js';
import { storeBytes } from './store-bytes.js';
import { storeCold } from './store-cold.js';
import { StoreEvents } from './store-events.js';
import { StoreInside } from './store-inside.js';
import { StoreLimits } from './store-limits.js';
import { StoreRates } from './store-rates.js';
import { reckoning } from './store-reckoning.js';

export async function stores(effort: Effort): Promise<readonly Table[]> {
  const [rates, limits, inside, events] = [
    new StoreRates(effort),
    new StoreLimits(effort),
    new StoreInside(effort),
    new StoreEvents(effort),
  ];
  for (let round = 1; round <= effort.rounds; round += 1) {
    effort.say(`round ${round}`);
    await rates.round();
    await limits.round(rates.weights);
    await inside.round();
    await events.round();
  }
  const bytes = await storeBytes(effort);
  const cold = await storeCold(effort);
  return [
    ...rates.tables(),
    limits.table(rates.weights),
    inside.table(),
    bytes.table,
    cold,
    events.table(),
    reckoning(rates.courses, bytes.ofRequests),
  ];
}
