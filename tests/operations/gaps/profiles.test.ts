// The profiles: their readings, the nearest one to given readings, and which readings override which.
import { expect } from 'chai';
import { type OperationId, operations } from '../../../server/operations/catalog/catalog.js';
import { defaultReadings, gapIds, isReading } from '../../../server/operations/gaps/gaps.js';
import {
  chosenProfile,
  chosenReadings,
  nearestProfile,
  profileNames,
  profileReadings,
  profiles,
} from '../../../server/operations/gaps/profiles.js';
import { isAddressGap } from '../../../server/operations/provenance.js';
import { everyReading, oddQuestions } from '../../support/other-servers/odd-questions.js';
import { ask, type Question } from '../../support/worlds/ask.js';
import { teamWith } from '../../support/worlds/judge.js';
import { validQuestions } from '../../support/worlds/valid.js';

describe('a profile', () => {
  for (const name of profileNames) {
    it(`${name} has a reading for each gap, and names only those that are not the first`, () => {
      const whole = profileReadings(name);
      expect(Object.keys(whole)).to.have.members(gapIds);
      for (const gap of gapIds) expect(isReading(gap, whole[gap]), `${gap}=${whole[gap]}`).to.equal(true);
      const named = Object.keys(profiles[name].readings);
      expect(gapIds.filter(gap => whole[gap] !== defaultReadings[gap])).to.have.members(named);
    });

    it(`${name} is the nearest to its own readings, and to all but one of them`, () => {
      expect(nearestProfile(profileReadings(name))).to.deep.equal({ name, otherwise: [] });
      const other = { ...profileReadings(name), 'is-unique-match': 'both' } as const;
      expect(nearestProfile(other)).to.deep.equal({ name, otherwise: ['is-unique-match'] });
    });
  }

  it('is lenient by default, and the first of those that are equally near', () => {
    expect(profileReadings('lenient')).to.deep.equal(defaultReadings);
    expect(chosenProfile({}, { readings: { 'no-change': '409' } })).to.equal('lenient');
    expect(nearestProfile({})).to.deep.equal({ name: 'lenient', otherwise: [] });
    expect(nearestProfile({ 'wiki-auth': 'admin' })).to.deep.equal({ name: 'strict', otherwise: [] });
  });

  it('chosen in the most specific place counts, and single readings override it, again the most specific first', () => {
    const server = { profile: 'strict', readings: { 'wiki-auth': 'open', 'no-change': 'ok' } } as const;
    const scenario = { profile: 'realistic', readings: { 'no-change': '409' } } as const;
    expect(chosenProfile(server, scenario, {})).to.equal('realistic');
    expect(chosenReadings(server, scenario, { readings: { 'unknown-user': 'skip' } })).to.deep.equal({
      ...profileReadings('realistic'),
      'wiki-auth': 'open',
      'no-change': '409',
      'unknown-user': 'skip',
    });
  });
});

describe('the profile strict', () => {
  const readings = profileReadings('strict');
  const copy = validQuestions['spaces.copy'].query as Record<string, string>; // not as text
  const ds = { spaceKey: 'ds', pageTitle: 'Welcome' };
  const twice = teamWith({ pages: { 65800: { space: 'ds', title: 'HOME' } } });
  const token = { kind: 'bearer', token: 'admin-token' } as const;
  /** What no example and no oddity shows. */
  const further: ReadonlyArray<readonly [OperationId, Question]> = [
    ['spaces.add-sidebar-link', { json: { spaceKey: 'ds', label: 'x', url: 'javascript:alert(1)' } }],
    ['spaces.is-unique', { query: 'spaceKey=a&spaceKey=b&spaceName=c' }],
    ['spaces.copy', { query: { ...copy, targetSpaceTitle: '' } }],
    ['spaces.copy', { query: { ...copy, targetSpaceTitle: 'Template Space' } }],
    ['spaces.replace-in-page', { on: twice, query: ds, json: [{ oldText: 'Welcome', newText: 'Home' }] }],
    ['groups.add-users', { ...validQuestions['groups.add-users'], credentials: token }],
    ['groups.add-users', { json: { group: 'customers', users: Array<string>(1001).fill('alice') } }],
  ];
  /** A server has one address, and any other is refused. The statuses of isUnique are a form of its response, not refusals. */
  const isAnotherServer = (gap: string) => isAddressGap(gap) || gap === 'is-unique-answer';

  for (const operation of operations)
    it(`refuses each request to ${operation.id} that another reading refuses`, () => {
      const id = operation.id as OperationId; // one of the catalog
      const questions = [
        validQuestions[id],
        ...oddQuestions(operation),
        ...further.flatMap(([of, question]) => (of === id ? [question] : [])),
      ];
      for (const question of questions) {
        if (ask(id, { ...question, readings }).refused !== undefined) continue;
        for (const reading of everyReading) {
          const [[gap = '', value] = []] = Object.entries(reading);
          const name = `${gap}=${value}`;
          if (isAnotherServer(gap)) continue;
          const { refused } = ask(id, { ...question, readings: { ...readings, ...reading } });
          expect(refused, `${name}, ${JSON.stringify(question).slice(0, 200)}`).to.equal(undefined);
        }
      }
    });

  it('refuses a push below a context path, and a POST from a browser', () => {
    expect(readings['ppf-context-path']).to.equal('none');
    expect(ask('ppf.push', { ...validQuestions['ppf.push'], isSuspect: true, readings }).status).to.equal(403);
  });
});
