// The question before a server is changed.
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { consent } from '../../../harness/changes/plan-text.js';

function desk(isTerminal: boolean) {
  const input = Object.assign(new PassThrough(), { isTTY: isTerminal });
  const output = Object.assign(new PassThrough(), { isTTY: isTerminal });
  let text = '';
  output.on('data', chunk => {
    text += chunk;
  });
  return { input, output, text: () => text };
}
const plan = ['members of groups: customers'];

describe('the consent', () => {
  for (const [response, outcome] of [
    ['y\n', 'given'],
    [' Yes \n', 'given'],
    ['n\n', 'refused'],
    ['\n', 'refused'],
    ['yesterday\n', 'refused'],
  ] as const) {
    it(`is ${outcome} by ${JSON.stringify(response)}`, async () => {
      const at = desk(true);
      const asked = consent(plan, 'http://x', false, at);
      at.input.write(response);
      expect(await asked).to.equal(outcome);
      expect(at.text()).to.match(/^This run against http:\/\/x:\n {2}members of groups: customers\n/);
      expect(at.text()).to.include('Continue? [y/N] ');
    });
  }

  it('is refused if the input ends', async () => {
    const at = desk(true);
    const asked = consent(plan, 'http://x', false, at);
    at.input.end();
    expect(await asked).to.equal('refused');
  });

  it('is not asked for without a terminal, if it is given, or if nothing changes', async () => {
    expect(await consent(plan, 'http://x', false, desk(false))).to.equal('not asked');
    expect(await consent(plan, 'http://x', true, desk(false))).to.equal('given');
    const at = desk(true);
    expect(await consent([], 'http://x', false, at)).to.equal('given');
    expect(at.text()).to.equal('This run against http://x:\n  changes nothing\n');
  });
});
