// The rules suite: each file of scenarios/rules/ proves its own rule and no other, and no correct fake fails a step, whatever its readings.
// The mutants of bench/ show that the suite catches incorrect fakes.
import { expect } from 'chai';
import { inProcess } from '../../server/library/target/in-process-target.js';
import { servedFake } from '../../server/library/target/served-fake.js';
import { rules } from '../../server/operations/catalog.js';
import { anyServer } from '../../server/remote/target/any-server.js';
import { serving } from '../support/wire/server.js';
import { all, everything, failures, fake, holdOnAny, loaded, passesOn, suite } from './rules-suite.js';

/** Rules that no request can break: they describe a successful request, and no status could refuse it. */
const neverRefused = [
  'ppf.push',
  'ppf.pull',
  'ppf.processed-is-200',
  'ppf.success-flag',
  'ppf.failure-message',
  'spaces.copy-default-admin',
  'spaces.copy-remove-admin',
  'spaces.copy-keep-metadata',
];

/** No documented operation shows who is permitted in a space, or who wrote a page and when. */
const neverSeen = ['spaces.copy-remove-admin', 'spaces.copy-keep-metadata'];

describe('the rules suite', function () {
  this.timeout(120_000);
  after(() => fake.end());

  it('has a file for each rule', () => {
    expect([...suite.keys()].sort()).to.deep.equal(Object.keys(rules).sort());
  });

  for (const [rule, story] of suite) {
    it(`${rule}: every step passes, and proves this rule and no other`, async () => {
      const played = await all(story, inProcess(fake, 'rules'));
      expect(failures(new Map([[rule, played]]))).to.deep.equal([]);
      expect(played.filter(({ outcome }) => outcome !== 'passed')).to.deep.equal([]);
      const proving = played.filter(({ step }) => step.proves !== undefined);
      expect([...new Set(proving.flatMap(({ step }) => step.proves))]).to.deep.equal([rule]);
      const own = proving.filter(({ insight }) => insight?.rules.includes(rule));
      expect(own, 'steps whose own answer names the rule').to.not.deep.equal([]);
      const statuses = proving.map(({ received }) => received?.status ?? 0);
      if (rule !== 'ppf.licensed-only') expect(Math.min(...statuses), 'one that is accepted').to.be.below(300);
      if (!neverRefused.includes(rule)) expect(Math.max(...statuses), 'one that is refused').to.be.at.least(400);
    });
  }

  it('has in each file a step that any server can be judged by, without looking at its world', () => {
    const silent = [...suite].filter(
      ([, { steps }]) => !steps.some(({ proves, then }) => proves !== undefined && then === undefined),
    );
    expect(silent.map(([rule]) => rule)).to.have.members(neverSeen);
  });

  it('calls only as users with known passwords', () => {
    const callers = [...suite.values()].flatMap(({ steps }) => steps.map(({ as }) => as ?? 'anonymous'));
    const named = callers.filter(as => typeof as === 'string');
    expect([...new Set(named)].sort()).to.deep.equal(['admin', 'anonymous', 'carol']);
  });

  it('shows the password of a user wrongly twice at most, so that nobody is locked out', () => {
    const callers = [...suite.values()].flatMap(({ steps }) => steps.flatMap(({ as = '' }) => as));
    const wrong = callers.flatMap(as => (typeof as === 'object' && 'user' in as ? [as.user] : []));
    expect(wrong.filter(user => loaded('small-team').origin.world.users.has(user))).to.deep.equal(['admin', 'admin']);
    for (const user of wrong) expect(user).to.match(/^(?:admin$|nobody-)/);
  });

  it('passes over HTTP, on a fake that shows its world', async () => {
    const { url, stop } = await serving();
    const target = await servedFake(new URL(url).origin, { name: 'rules', isKept: false });
    if (target === undefined) expect.fail('there is no fake');
    expect(failures(await everything(target))).to.deep.equal([]);
    await target.close();
    await stop();
  });

  it('passes over HTTP on a server without known readings, from file to file', async () => {
    const { url, stop } = await serving(undefined, { control: 'off', 'no-explain': true });
    const target = anyServer(url);
    const played = await everything(target, { run: 'FIRST' });
    expect(failures(played, true)).to.deep.equal([]);
    expect(failures(await everything(target, { run: 'SECOND' }), true), 'a second time').to.deep.equal([]);
    expect(new Set([...played.values()].flat().map(({ outcome }) => outcome))).to.deep.equal(
      new Set(['passed', 'skipped', 'failed']),
    );
    await target.close();
    await stop();
  });

  passesOn('strict-wiki', 'at another address'); // on the others in tests/proof

  it('passes on any server, with any readings and any number of them known', () => holdOnAny(3));
});
