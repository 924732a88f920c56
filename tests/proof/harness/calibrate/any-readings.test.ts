// Calibrating finds the readings of any fake. `CALIBRATE_RUNS` sets how many are tried.
import { expectAnyFound } from './visible-readings.js';

const runs = Number(process.env.CALIBRATE_RUNS ?? 80);

describe('calibrating', function () {
  this.timeout(60_000 + runs * 1000);
  it('finds the readings of any fake, whole or one half of it, with a context path or without', () =>
    expectAnyFound(runs));
});
