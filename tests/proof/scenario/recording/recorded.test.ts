// Many random courses, each recorded as a scenario that holds.
import type { Assembled } from '../../../../server/server.js';
import { holdOnAny } from '../../../scenario/record/recording.js';
import { assembled } from '../../../support/shipped-runs.js';

describe('a recorded journal', function () {
  this.timeout(120_000);
  let on: Assembled;
  before(async () => {
    on = await assembled();
  });
  after(() => on.end());

  it('holds whatever was asked, and whatever was changed from behind', () => holdOnAny(on, 150));
});
