// The rules suite, played often: twice in a row, and on many servers whose readings are chosen at random.
import { expect } from 'chai';
import { inProcess } from '../../../server/library/target/in-process-target.js';
import { everything, fake, holdOnAny, shown } from '../../scenario/rules-suite.js';

describe('the rules suite', function () {
  this.timeout(120_000);
  after(() => fake.end());

  it('gives the same when it is played again', async () => {
    const once = await everything(inProcess(fake, 'once'));
    const twice = await everything(inProcess(fake, 'once'));
    expect([...twice.values()].flat().map(shown)).to.deep.equal([...once.values()].flat().map(shown));
  });

  it('holds on every server, whatever its readings and however many of them are known', () => holdOnAny(40));
});
