// Random bytes: many courses of them. FUZZ_RUNS sets the number, FUZZ_SEED others; fast-check prints the shortest failing course.
import { useServer } from '../support/wire/server.js';
import { MAX_BODY } from './bytes.js';
import { fuzz } from './property.js';

const { FUZZ_SEED = '20261128', FUZZ_RUNS = '80' } = process.env;

describe('random bytes', function () {
  this.timeout(60_000 + Number(FUZZ_RUNS) * 1_000);
  const server = useServer('small-team', { 'max-body': String(MAX_BODY) });

  it(`get the right responses, and leave the world of the model (${FUZZ_RUNS} courses, seed ${FUZZ_SEED})`, () =>
    fuzz(server.url, 30_000, Number(FUZZ_SEED), Number(FUZZ_RUNS)));
});
