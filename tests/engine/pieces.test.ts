// Long work in pieces: others are served between them, and what comes of it is what would come of it in one go.
import { expect } from 'chai';
import { inPieces } from '../../server/engine/pieces.js';

/** So many pieces of two milliseconds each. */
function* busy(pieces: number): Generator<unknown, string> {
  for (let i = 0; i < pieces; i += 1) {
    for (const until = performance.now() + 2; performance.now() < until; );
    yield;
  }
  return 'done';
}

describe('work in pieces', () => {
  it('lets others in, and ends with its result', async () => {
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

  it('that is short is done at once', async () => {
    let isDone = false;
    const work = inPieces(busy(1)).then(() => {
      isDone = true;
    });
    await Promise.resolve().then(() => Promise.resolve());
    expect(isDone).to.equal(true);
    await work;
  });

  it('fails as its work fails', async () => {
    function* failing(): Generator<unknown, never> {
      yield;
      throw new Error('no');
    }
    expect(await inPieces(failing()).catch(String)).to.equal('Error: no');
  });
});
