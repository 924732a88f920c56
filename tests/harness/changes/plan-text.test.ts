// The plan that is shown before a server is changed, and the question that asks for consent.
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { consent, planLines, unreadableReason } from '../../../harness/changes/plan-text.js';
import type { Subject } from '../../../harness/changes/subjects.js';
import { spacesIn } from '../../../harness/changes/subjects.js';
import { NamesThere } from '../../../harness/names/name-map.js';
import { subjectsToSave } from '../../../harness/run/run-context.js';
import { scenariosFor } from '../../support/other-servers/conforming.js';
import { smallTeam } from '../../support/other-servers/outside.js';

const map = {
  users: new Map([['alice', 'jdoe']]),
  groups: new Map([['customers', 'qa-sandbox']]),
  spaces: new Map(),
  pages: new Map([['65601', { id: '7', title: 'Start' }]]),
  filters: new Map(),
  dashboards: new Map(),
};

describe('the plan of a run', () => {
  const names = new NamesThere(smallTeam().origin.world, map);
  const { suite, probes } = scenariosFor(undefined, names);
  const subjects = subjectsToSave([...suite, ...probes], names);
  const spaces = [...new Set([...suite, ...probes].flatMap(spacesIn))];
  const lines = (unreadable: readonly Subject[], isLossAccepted = false) =>
    planLines({ subjects, unreadable, spaces, isLossAccepted });

  it("lists the whole suite's changes in the server's names, and only those", () => {
    expect(lines([]).slice(0, 4)).to.deep.equal([
      'Changes these and restores them exactly afterwards:',
      '  members of groups: qa-sandbox',
      '  restrictions of pages: 7',
      '  favourites of users: admin, jdoe',
    ]);
  });

  it('names what cannot be read, and whether it is changed', () => {
    const [first, ...others] = lines(subjects.filter(({ kind }) => kind === 'members')).slice(-2);
    expect(first).to.match(/^Does not change these, because their state cannot be read \(with --accept-loss, /);
    expect(others).to.deep.equal(['  members of groups: qa-sandbox']);
    expect(lines(subjects, true).join('\n')).to.match(
      /^Changes these although their state cannot be read, so it may be lost/m,
    );
  });

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
