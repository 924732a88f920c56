// The plan that is shown before a server is changed, and the question that asks for consent.
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { consent, unreadableReason } from '../../../harness/changes/plan-text.js';

describe('the plan of a run', () => {
  it('gives a reason for what is unreadable by the APIs that the server has', () => {
    for (const [kind, confluence, jira, reason] of [
      ['members', false, false, "the server does not have Confluence's REST API"],
      ['members', false, true, 'the members of x cannot be read'],
      ['restrictions', false, true, "the server does not have Confluence's REST API"],
      ['restrictions', true, false, 'the restrictions of x cannot be read'],
      ['favourites', true, false, "the server does not have Jira's REST API"],
      ['favourites', false, true, "the favourites of x cannot be read without that user's password"],
    ] as const)
      expect(unreadableReason({ kind, name: 'a', real: 'x' }, { confluence, jira })).to.equal(reason);
  });
});

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
  it('is given by y or yes, and refused by everything else and the end of the input', async () => {
    for (const [response, outcome] of [
      ['y\n', 'given'],
      [' Yes \n', 'given'],
      ['n\n', 'refused'],
      ['\n', 'refused'],
      ['yesterday\n', 'refused'],
      ['', 'refused'],
    ] as const) {
      const at = desk(true);
      const asked = consent(plan, 'http://x', false, at);
      at.input.end(response);
      expect(await asked, response).to.equal(outcome);
      expect(at.text()).to.match(
        /^This run against http:\/\/x:\n {2}members of groups: customers\n[\s\S]*Continue\? \[y\/N\] /,
      );
    }
  });

  it('is not asked for without a terminal, if it is given, or if nothing changes', async () => {
    expect(await consent(plan, 'http://x', false, desk(false))).to.equal('not asked');
    expect(await consent(plan, 'http://x', true, desk(false))).to.equal('given');
    const at = desk(true);
    expect(await consent([], 'http://x', false, at)).to.equal('given');
    expect(at.text()).to.equal('This run against http://x:\n  changes nothing\n');
  });
});
