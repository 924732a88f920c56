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

const given = (...states: ReadonlyArray<readonly [name: string, params?: object]>) => ({
  providerStates: states.map(([name, params]) => ({ name, ...(params !== undefined && { params }) })),
});
const body = { users: ['alice'], filters: [10500] };
const member = { group: 'customers', users: ['alice'] };

describe('verify: states', () => {
  it('sets up several, one on top of the other', async () => {
    const states = given(
      ['group exists', { name: 'rota', members: ['carol'] }],
      ['user exists', { name: 'dora' }],
      ['licence is', { licence: 'valid' }],
    );
    const verdict = await verdictOn(
      pushes(
        'a push',
        { users: ['dora'], groups: ['rota'], filters: [10500] },
        replies(200, { success: true, messages: [] }),
        states,
      ),
    );
    expect(verdict).to.deep.include({ outcome: 'passed', differences: [] });
  });

  it('begins each interaction anew, whatever the previous one did', async () => {
    const { verdicts } = await verifying(
      contractOf([
        adds('adds', member, replies(409)),
        adds('adds again', member, replies(409)),
        adds('and again', member, replies(409)),
      ]),
      { readings: { 'no-change': '409' } },
    );
    expect(verdicts.map(({ exchange }) => exchange?.response.status)).to.deep.equal([200, 200, 200]);
  });

  it('sends nothing if the parameters of a state are wrong, and names them and what they accept', async () => {
    const wrong: ReadonlyArray<readonly [params: object, problem: string]> = [
      [
        { nam: 'x' },
        'params is missing the key "name". /nam: Unknown key "nam" (did you mean "name"?): expected name or members.',
      ],
      [{ name: 7 }, '/name must be a string, not 7: write it in quotes.'],
      [{ name: 'x', members: 'alice' }, '/members must be a list, not "alice".'],
      [
        { name: 'x', members: ['nobody'] },
        '/groups/x/0: Unknown user "nobody": expected admin, alice, carol, demouser1 or demouser2.',
      ],
    ];
    const { verdicts } = await verifying(
      contractOf(wrong.map(([params], i) => adds(`wrong ${i}`, member, replies(200), given(['group exists', params])))),
    );
    expect(verdicts.map(({ outcome, problem }) => [outcome, problem])).to.deep.equal(
      wrong.map(([, problem]) => ['unverified', `The state "group exists" cannot be set up: ${problem}`]),
    );
  });

  it('sends nothing if the second of two states is impossible', async () => {
    const verdict = await verdictOn(adds('adds', member, replies(200), given(['small-team'], ['no such state'])));
    expect(verdict).to.deep.include({
      outcome: 'unverified',
      classification: { kind: 'unknown' },
      trials: [],
      rules: [],
    });
    expect(verdict).to.not.have.property('exchange');
    expect(verdict.problem).to.contain('Unknown state "no such state"');
  });

  it('takes the empty state for the scenario of the run', async () => {
    for (const states of [{}, given(['']), { providerStates: [] }]) {
      const verdict = await verdictOn(pushes('a push', body, replies(403), states), { scenario: 'unlicensed' });
      expect(verdict).to.deep.include({ outcome: 'passed', rules: ['address.ppf-path', 'ppf.licensed-only'] });
    }
  });
});

describe('verify: readings', () => {
  const body = { users: ['carol'], groups: [] };
  const removing = (headers = {}) => ({
    ...asks('takes Carol off a page', '', undefined, replies(404)),
    request: requestOf('DELETE', '/rest/cwxapiextension/latest/permissions/view/99999', body, headers),
  });

  it('uses those of the run, and tries the others', async () => {
    const verdict = await verdictOn(removing(), { readings: { 'unknown-page': '400' } });
    expect({ outcome: verdict.outcome, classification: shortly(verdict.classification) }).to.deep.equal({
      outcome: 'failed',
      classification: 'rests on unknown-page=400',
    });
    expect(passing(verdict.trials)).to.deep.equal({ 404: true, 403: false });
    const byDefault = await verdictOn(removing());
    expect({ outcome: byDefault.outcome, classification: shortly(byDefault.classification) }).to.deep.equal({
      outcome: 'passed',
      classification: 'rests on unknown-page=404',
    });
  });

  it('uses those of a scenario that is the state', async () => {
    const again = adds('adds', { group: 'team-members', users: ['demouser1'] }, replies(409), given(['strict-wiki']));
    const verdict = await verdictOn(again);
    expect({ outcome: verdict.outcome, classification: shortly(verdict.classification) }).to.deep.equal({
      outcome: 'passed',
      classification: 'rests on no-change=409',
    });
  });

  it('uses those in a request', async () => {
    const verdict = await verdictOn(removing({ 'X-Fake-Reading': 'unknown-page=400' }));
    expect(verdict.outcome).to.equal('failed');
    expect(verdict.gaps).to.include({ 'unknown-page': '400' });
    expect(passing(verdict.trials)).to.deep.equal({ 404: true, 403: false });
    expect(verdict.findings.map(({ part, pointer }) => part + pointer)).to.include('header/x-fake-reading');
  });
});

/** Whether the interaction passes under each other reading of the gap unknown-page that was tried. */
function passing(trials: Verdict['trials']): Record<string, boolean> {
  const tried = trials.filter(({ gap }) => gap === 'unknown-page');
  return Object.fromEntries(tried.map(({ reading, passes }) => [reading, passes]));
}
