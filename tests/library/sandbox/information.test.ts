// What a fake and its sandboxes report about themselves, and errors in starting a sandbox somewhere. The table of tests/control checks that they
// match HTTP.
import { expect } from 'chai';
import { createFake, type Fake, FakeError, startFake } from '../../../server/index.js';
import { failure } from '../../support/worlds/failure.js';
import { until } from '../../support/worlds/until.js';

for (const [kind, make] of Object.entries({ createFake, startFake })) {
  describe(`the description of a ${kind}`, () => {
    let fake: Fake;
    before(async () => {
      fake = await make({ scenario: 'unlicensed', readings: { 'is-unique-answer': 'object' }, control: false });
    });
    after(() => fake.stop());

    it('is available without a control API', async () => {
      expect((await fake.fetch('/_fake/v1/scenarios')).status).to.equal(404);
      expect(await fake.health()).to.include({ status: 'ok', scenario: 'unlicensed', store: 'memory' });
      expect((await fake.scenarios()).map(({ name }) => name)).to.include.members(['unlicensed', 'small-team']);
      expect((await fake.states()).fixtures.map(({ name }) => name)).to.include('empty');
      expect((await fake.sandboxes()).map(({ name, scenario }) => [name, scenario])).to.deep.equal([
        ['default', 'unlicensed'],
      ]);
      expect(await fake.guide()).to.match(/^# /);
      expect(await fake.metrics()).to.match(/^cwx_fake_sandboxes 1$/m);
      expect(await fake.controlOpenapi()).to.have.nested.property('paths./sandboxes.get.operationId', 'sandboxes.list');
      expect((await fake.ledger()).rules.find(({ id }) => id === 'ppf.push')?.evidence).to.include('rules/ppf.push');
    });

    it('follows its readings', async () => {
      const usual = await createFake();
      const own = JSON.stringify(await fake.openapi());
      expect(own).not.to.equal(JSON.stringify(await usual.openapi()));
      await usual.stop();
    });
  });
}

describe('the description of a fake', () => {
  it('is refused once it has been stopped', async () => {
    const fake = await createFake();
    const sandbox = fake.sandbox('a');
    await fake.stop();
    const asked = [
      fake.health(),
      fake.scenarios(),
      fake.states(),
      fake.sandboxes(),
      fake.openapi(),
      fake.controlOpenapi(),
      fake.ledger(),
      fake.guide(),
      fake.metrics(),
      sandbox.describe(),
      sandbox.clearJournal(),
      sandbox.play('unlicensed'),
      sandbox.states.setUp(''),
      sandbox.states.tearDown(),
    ];
    for (const one of asked) expect((await failure(one, FakeError)).message).to.contain('It has been stopped.');
  });
});

describe('a sandbox with a given start', () => {
  let fake: Fake;
  before(async () => {
    fake = await createFake();
  });
  after(() => fake.stop());

  it('has its time to live, also when it is recreated', async () => {
    const sandbox = fake.sandbox('short', { ttl: 0.05 });
    expect((await sandbox.describe()).ttl).to.equal(0.05);
    expect((await (await sandbox.fork('short-fork')).describe()).ttl).to.equal(0.05);
    await sandbox.drop();
    expect((await sandbox.describe()).ttl).to.equal(0.05);
    expect((await fake.sandbox('fraction', { ttl: 16.1 }).describe()).ttl).to.equal(16.1);
    expect((await fake.sandbox('instant', { ttl: 0.0001 }).describe()).ttl).to.equal(0.001);
    expect((await fake.sandbox('default').describe()).ttl).to.equal(undefined);
  });

  it('expires when it has been idle for longer', async () => {
    const brief = await createFake({ sandboxTtl: 1 }); // checked twice a second
    await brief.sandbox('short', { ttl: 0.05 }).describe();
    await brief.sandbox('long', { ttl: 1000 }).describe();
    const names = async () => (await brief.sandboxes()).map(({ name }) => name);
    await until(async () => !(await names()).includes('short'));
    expect(await names()).to.have.members(['default', 'long']);
    await brief.stop();
  });

  const lives: Readonly<Record<string, unknown>> = {
    zero: 0,
    'less than nothing': -1,
    'a text': '60',
    'more than a hundred years': 3_155_760_001,
    NaN: Number.NaN,
  };
  for (const [what, ttl] of Object.entries(lives)) {
    it(`cannot live for ${what}`, () => {
      expect(() => fake.sandbox('a', { ttl } as never))
        .to.throw(FakeError)
        .with.property('problems')
        .that.has.nested.property('[0].pointer', '/ttl');
    });
  }

  const plays: ReadonlyArray<readonly [scenario: string, options: object, says: string]> = [
    ['unlicensed', { step: 4 }, '"unlicensed" has 3 steps, but step is 4.'],
    ['unlicensed', { step: 0 }, '/step must be at least 1, not the number 0'],
    ['unlicensed', { step: 'first' }, '/step must be a whole number, not the text "first"'],
    ['unlicensed', { setp: 1 }, '(did you mean "step"?)'],
    ['unlicenced', {}, '(did you mean "unlicensed"?)'],
    ['small-team', {}, '"small-team" has no steps: it only defines the start of a sandbox.'],
  ];
  for (const [scenario, options, says] of plays) {
    it(`does not play ${scenario} ${JSON.stringify(options)}`, async () => {
      const sandbox = fake.sandbox();
      await sandbox.patch({ licence: { ppf: 'none' } });
      const error = await failure(sandbox.play(scenario, options as never), FakeError);
      expect(error.message).to.contain(says);
      expect([(await sandbox.world()).licence.ppf, await sandbox.journal()]).to.deep.equal(['none', []]);
    });
  }

  it('plays one scenario at a time, whoever plays', async () => {
    const sandbox = fake.sandbox();
    await sandbox.describe();
    const first = sandbox.play('unlicensed');
    const second = await failure(sandbox.play('partial-failure'), FakeError);
    expect(second.message).to.contain(`Wait until it ends in the sandbox ${sandbox.name}.`);
    expect((await first).steps.map(({ outcome }) => outcome)).to.deep.equal(['passed', 'passed', 'passed']);
  });

  it('appends faults, all or none', async () => {
    const { faults } = fake.sandbox();
    await faults.set([{ operation: 'ppf.push', effect: { status: 503 } }]);
    const wrong = [{ operation: 'ppf.psh', effect: { status: 500 } }] as never;
    expect((await failure(faults.set(wrong, { append: true }), FakeError)).message).to.contain(
      '(did you mean "ppf.push"?)',
    );
    const misspelt = faults.set([], { beside: true } as never);
    expect((await failure(misspelt, FakeError)).message).to.contain('beside');
    expect((await faults.list()).map(({ operation }) => operation)).to.deep.equal(['ppf.push']);
  });

  it('adds states up, and starts a new world after a request or a teardown', async () => {
    const sandbox = fake.sandbox();
    const users = async () => Object.keys((await sandbox.world()).users).filter(name => /^(bob|dora|emil)$/.test(name));
    await sandbox.states.setUp('user exists', { name: 'bob' });
    await sandbox.states.setUp('user exists', { name: 'dora' });
    expect(await users()).to.deep.equal(['bob', 'dora']);
    await sandbox.states.tearDown();
    expect(await users()).to.deep.equal(['bob', 'dora']);
    await sandbox.states.setUp('user exists', { name: 'emil' });
    expect(await users()).to.deep.equal(['emil']);
    await sandbox.client('admin').ppf.push({ body: { users: ['emil'], filters: [10500] } });
    await sandbox.states.setUp('user exists', { name: 'bob' });
    expect(await users()).to.deep.equal(['bob']);
    const { problems } = await failure(sandbox.states.setUp('user exist'), FakeError);
    expect(problems.map(({ message }) => message)).to.deep.equal([
      'There is no state "user exist" (did you mean "user exists"?).',
    ]);
  });
});
