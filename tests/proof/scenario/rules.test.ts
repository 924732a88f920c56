// The rules suite, played often: twice in a row, and on many servers with random readings.
import { expect } from 'chai';
import { inProcess } from '../../../server/library/target/in-process-target.js';
import { everything, fake, holdOnAny, shown } from '../../scenario/rules-suite.js';

describe('the rules suite', () => {
  after(() => fake.end());

  it('gives the same result when it is played again', async () => {
    const once = await everything(inProcess(fake, 'once'));
    const twice = await everything(inProcess(fake, 'once'));
    expect([...twice.values()].flat().map(shown)).to.deep.equal([...once.values()].flat().map(shown));
  });

  it('passes on every server, with any readings and any number of them known', () => holdOnAny(30));
});
