// Some thousands of the requests that tests/proof/fuzz sends: no 5xx that nobody asked for, no hang, and the worlds are the model's.
// FUZZ_SEED, FUZZ_AT (a number, or first-last) repeat what was found; FUZZ_KEEP is a folder for findings; FUZZ_REQUESTS tries more or fewer.
import { expect } from 'chai';
import { tryOut } from './run.js';
import { servedAlone } from './subject.js';

const { FUZZ_SEED = '20261121', FUZZ_AT, FUZZ_KEEP, FUZZ_REQUESTS = '2000' } = process.env;

function numbersIn(text: string): readonly [number, number] {
  const [first = 0, last = first] = text.split('-').map(Number);
  return [first, last];
}

describe('bytes from everywhere', function () {
  this.timeout(60_000 + Number(FUZZ_REQUESTS) * 10);

  it(`are answered as they should be, and leave the worlds that the model has (${FUZZ_REQUESTS} requests, seed ${FUZZ_SEED})`, async () => {
    const { findings, counts } = await tryOut(await servedAlone(), {
      seed: Number(FUZZ_SEED),
      requests: Number(FUZZ_REQUESTS),
      lanes: 12,
      ...(FUZZ_AT !== undefined && { only: numbersIn(FUZZ_AT) }),
      ...(FUZZ_KEEP !== undefined && { keep: FUZZ_KEEP }),
    });
    expect(findings.told()).to.equal('');
    if (FUZZ_AT === undefined) expect(counts.requests).to.be.at.least(Number(FUZZ_REQUESTS));
  });
});
