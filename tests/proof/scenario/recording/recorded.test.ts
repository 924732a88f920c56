// Every shipped scenario and many random runs, each recorded as a scenario that passes.
import type { Assembled } from '../../../../server/process/server.js';
import { holdOnAny, holdOnShipped } from '../../../scenario/recording/recording.js';
import { assembled, shippedRuns } from '../../../support/scenarios/shipped-runs.js';

describe('a recorded journal', () => {
  let on: Assembled;
  before(async () => {
    on = await assembled();
  });
  after(() => on.end());

  it('passes after each shipped scenario', () => holdOnShipped(on, shippedRuns()));

  it('passes after any requests and any changes through the control API', () => holdOnAny(on, 100));
});
