// States and readings in a run: what a contract begins with, what prevents that, and the readings it is compared under.
import { expect } from 'chai';
import type { Verdict } from '../../../../harness/verify/contract/verdict.js';
import {
  adds,
  asks,
  contractOf,
  pushes,
  replies,
  requestOf,
  shortly,
  verdictOn,
  verifying,
} from '../../../harness/verify/running.js';

const given = (...names: readonly string[]) => ({ providerStates: names.map(name => ({ name })) });
const member = { group: 'customers', users: ['alice'] };

describe('verify: states', () => {
  it('begin anew for each interaction; a scenario as a state has its readings; an impossible one sends nothing', async () => {
    const again = { group: 'team-members', users: ['demouser1'] };
    const { verdicts } = await verifying(
      contractOf([
        adds('adds', member, replies(200)),
        adds('adds again', member, replies(200)),
        adds('changes nothing', again, replies(409), given('strict-wiki')),
        adds('impossible', member, replies(200), given('small-team', 'no such state')),
      ]),
      { readings: { 'no-change': '409' } },
    );
    expect(verdicts.map(({ outcome }) => outcome)).to.deep.equal(['passed', 'passed', 'passed', 'unverified']);
    expect(shortly(verdicts[2]?.classification ?? expect.fail())).to.equal('rests on no-change=409');
    expect(verdicts[3]).to.deep.include({ classification: { kind: 'unknown' }, trials: [], rules: [] });
    expect(verdicts[3]).to.not.have.property('exchange');
  });

  it('are the scenario of the run if they are empty', async () => {
    const body = { users: ['alice'], filters: [10500] };
    const some = [{}, given(''), { providerStates: [] }].map((states, i) =>
      pushes(`push ${i}`, body, replies(403), states),
    );
    const { verdicts } = await verifying(contractOf(some), { scenario: 'unlicensed' });
    for (const verdict of verdicts)
      expect(verdict).to.deep.include({ outcome: 'passed', rules: ['address.ppf-path', 'ppf.licensed-only'] });
  });
});

describe('verify: readings', () => {
  const body = { users: ['carol'], groups: [] };
  const removing = (headers = {}) => ({
    ...asks('takes Carol off a page', '', undefined, replies(404)),
    request: requestOf('DELETE', '/rest/cwxapiextension/latest/permissions/view/99999', body, headers),
  });

  for (const [whose, asked, options] of [
    ['the run', removing(), { readings: { 'unknown-page': '400' } }],
    ['a request', removing({ 'X-Fake-Reading': 'unknown-page=400' }), {}],
  ] as const)
    it(`of ${whose} are used, and the others tried`, async () => {
      const verdict = await verdictOn(asked, options);
      expect(verdict.outcome).to.equal('failed');
      expect(verdict.gaps).to.include({ 'unknown-page': '400' });
      expect(passing(verdict.trials)).to.deep.equal({ 404: true, 403: false });
    });
});

/** Whether the interaction passes under each other reading of the gap unknown-page that was tried. */
function passing(trials: Verdict['trials']): Record<string, boolean> {
  const tried = trials.filter(({ gap }) => gap === 'unknown-page');
  return Object.fromEntries(tried.map(({ reading, passes }) => [reading, passes]));
}
