// Some thousands of the requests that tests/proof/fuzz sends: no unexpected 5xx, no hang, and the worlds match the model's.
// FUZZ_SEED and FUZZ_AT (a number, or first-last) repeat a finding; FUZZ_KEEP is a folder for findings; FUZZ_REQUESTS sets the number of requests.
import { expect } from 'chai';
import { tryOut } from './run.js';
import { servedAlone } from './subject.js';

const { FUZZ_SEED = '20261121', FUZZ_AT, FUZZ_KEEP, FUZZ_REQUESTS = '2000' } = process.env;

function numbersIn(text: string): readonly [number, number] {
  const [first = 0, last = first] = text.split('-').map(Number);
  return [first, last];
}

describe('random bytes', function () {
  this.timeout(60_000 + Number(FUZZ_REQUESTS) * 10);

  it(`get the right responses, and leave the worlds of the model (${FUZZ_REQUESTS} requests, seed ${FUZZ_SEED})`, async () => {
    const { findings, counts } = await tryOut(await servedAlone(), {
      seed: Number(FUZZ_SEED),
      requests: Number(FUZZ_REQUESTS),
      lanes: 12,
      ...(FUZZ_AT !== undefined && { only: numbersIn(FUZZ_AT) }),
      ...(FUZZ_KEEP !== undefined && { keep: FUZZ_KEEP }),
    });
    expect(findings.render()).to.equal('');
    if (FUZZ_AT === undefined) expect(counts.requests).to.be.at.least(Number(FUZZ_REQUESTS));
  });
});
