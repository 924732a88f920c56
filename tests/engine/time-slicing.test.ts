// Long work in pieces: other work runs between them, and the result is that of a single run.
import { expect } from 'chai';
import { inPieces } from '../../server/engine/time-slicing.js';

/** This many pieces of two milliseconds each. */
function* busy(pieces: number): Generator<unknown, string> {
  for (let i = 0; i < pieces; i += 1) {
    for (const until = performance.now() + 2; performance.now() < until; );
    yield;
  }
  return 'done';
}

describe('work in pieces', () => {
  it('lets other work run, and returns its result', async () => {
    let turns = 0;
    const others = () => {
      turns += 1;
      next = setImmediate(others);
    };
    let next = setImmediate(others);
    expect(await inPieces(busy(50))).to.equal('done');
    clearImmediate(next);
    expect(turns).to.be.at.least(3);
  });

  it('fails with the error of its work', async () => {
    function* failing(): Generator<unknown, never> {
      yield;
      throw new Error('no');
    }
    expect(await inPieces(failing()).catch(String)).to.equal('Error: no');
  });
});
