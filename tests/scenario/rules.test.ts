// The rules suite: each file of scenarios/rules proves the rules that it claims and no others, and no correct fake fails a step, whatever its readings.
import { expect } from 'chai';
import { inProcess } from '../../server/library/target/in-process-target.js';
import { rules } from '../../server/operations/catalog/catalog.js';
import { all, everything, failures, fake, holdOnAny, loaded, suite } from './rules-suite.js';

const claimed = (file: string) => [...new Set(suite.get(file)?.steps.flatMap(({ proves = [] }) => proves))];

/** Files about what successful requests do. */
const neverRefused = ['ppf.push', 'ppf.pull', 'ppf.response'];

describe('the rules suite', () => {
  after(() => fake.end());

  it('proves each rule', () => {
    expect([...new Set([...suite.keys()].flatMap(claimed))].sort()).to.deep.equal(Object.keys(rules).sort());
  });

  for (const [file, story] of suite) {
    it(`passes in ${file}, where the responses name each rule that a step proves`, async () => {
      const played = await all(story, inProcess(fake, 'rules'));
      expect(failures(new Map([[file, played]]))).to.deep.equal([]);
      expect(played.filter(({ outcome }) => outcome !== 'passed')).to.deep.equal([]);
      if (file in rules) expect(claimed(file)).to.include(file);
      for (const rule of claimed(file)) {
        const proving = played.filter(
          ({ step, insight }) => step.proves?.includes(rule) && insight?.rules.includes(rule),
        );
        expect(proving, rule).to.not.deep.equal([]);
      }
      const statuses = played.flatMap(({ step, received }) => (step.proves && received ? [received.status] : []));
      if (file !== 'ppf.licensed-only') expect(Math.min(...statuses), 'an accepted request').to.be.below(300);
      if (!neverRefused.includes(file)) expect(Math.max(...statuses), 'a refused request').to.be.at.least(400);
    });
  }

  it('calls only as users with known passwords', () => {
    const callers = [...suite.values()].flatMap(({ steps }) => steps.map(({ as }) => as ?? 'anonymous'));
    const named = callers.filter(as => typeof as === 'string');
    expect([...new Set(named)].sort()).to.deep.equal(['admin', 'anonymous', 'carol']);
  });

  it('sends at most two wrong passwords of a user, who might be locked out', () => {
    const callers = [...suite.values()].flatMap(({ steps }) => steps.flatMap(({ as = '' }) => as));
    const wrong = callers.flatMap(as => (typeof as === 'object' && 'user' in as ? [as.user] : []));
    const known = wrong.filter(user => loaded('small-team').origin.world.users.has(user));
    for (const user of known) expect(known.filter(one => one === user).length, user).to.be.at.most(2);
  });

  it('passes on a fake whose readings are those of the suite', async () => {
    const { readings } = loaded('strict-wiki').origin;
    expect(failures(await everything(inProcess(fake, 'others'), { readings }))).to.deep.equal([]);
  });

  it('passes on any server, with any readings and any number of them known', () => holdOnAny(3)); // tests/proof has more
});
