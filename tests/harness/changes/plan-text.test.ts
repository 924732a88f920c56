// The plan that is shown before a server is changed.
import { expect } from 'chai';
import { planLines, unreadableReason } from '../../../harness/changes/plan-text.js';
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

  it('has at most 15 lines, and none without changes', () => {
    const half = subjects.filter((_, i) => i % 2 === 0);
    for (const unreadable of [[], half, subjects]) expect(lines(unreadable)).to.have.length.within(1, 15);
    expect(planLines({ subjects: [], unreadable: [], spaces: [], isLossAccepted: false })).to.deep.equal([]);
  });

  it('names what cannot be read, and whether it is changed', () => {
    const [first, ...others] = lines(subjects.filter(({ kind }) => kind === 'members')).slice(-2);
    expect(first).to.match(/^Does not change these, because their state cannot be read \(with --accept-loss, /);
    expect(others).to.deep.equal(['  members of groups: qa-sandbox']);
    expect(lines(subjects, true).join('\n')).to.match(
      /^Changes these although their state cannot be read, so it may be lost/m,
    );
  });

  for (const [kind, confluence, jira, reason] of [
    ['members', false, false, "the server does not have Confluence's REST API"],
    ['members', false, true, 'the members of x cannot be read'],
    ['restrictions', false, true, "the server does not have Confluence's REST API"],
    ['restrictions', true, false, 'the restrictions of x cannot be read'],
    ['favourites', true, false, "the server does not have Jira's REST API"],
    ['favourites', false, true, "the favourites of x cannot be read without that user's password"],
  ] as const)
    it(`gives a reason for unreadable ${kind} with${confluence ? '' : 'out'} Confluence and with${jira ? '' : 'out'} Jira`, () => {
      expect(unreadableReason({ kind, name: 'a', real: 'x' }, { confluence, jira })).to.equal(reason);
    });
});
