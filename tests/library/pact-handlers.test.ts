// The state handlers for a Pact verifier: how states add up, when a new world starts, in which sandbox, and how errors appear.
import { expect } from 'chai';
import { createFake, type Fake, FakeError, providerStates, type StateHandlers } from '../../server/index.js';
import { defaultFolders } from '../../server/scenario/files/folders.js';
import { listScenarios } from '../../server/scenario/load/load.js';
import { failure } from '../support/worlds/failure.js';

describe('providerStates', () => {
  let fake: Fake;
  let states: StateHandlers;
  let failures: FakeError[];
  beforeEach(async () => {
    fake = await createFake();
    failures = [];
    states = providerStates(fake, { onFailure: error => failures.push(error) });
  });
  afterEach(() => fake.stop());

  const setUp = (name: string, params?: object) => states[name]?.(params) ?? expect.fail(`there is no handler ${name}`);
  const world = () => fake.sandbox('default').world();

  it('has every scenario, the empty state, and the adding ones', () => {
    const scenarios = listScenarios(defaultFolders(process.cwd())).map(({ name }) => name);
    expect(Object.keys(states)).to.include.members([...scenarios, '', 'user exists', 'licence is']);
  });

  it('notices requests without a journal', async () => {
    const silent = await createFake({ journal: 0 });
    const handlers = providerStates(silent);
    await handlers['user exists']?.({ name: 'bob' });
    await silent.sandbox('default').client().ppf.push({ body: {} });
    await handlers['user exists']?.({ name: 'dora' });
    expect(Object.keys((await silent.sandbox('default').world()).users))
      .to.include('dora')
      .and.not.include('bob');
    await silent.stop();
  });

  it('uses another sandbox by its name, and one from a scenario of its own', async () => {
    const named = providerStates(fake, { sandbox: 'job-7' });
    await named['user exists']?.({ name: 'bob' });
    expect(Object.keys((await fake.sandbox('job-7').world()).users)).to.include('bob');
    expect(Object.keys((await world()).users)).not.to.include('bob');
    const sandbox = fake.sandbox('job-8', { scenario: 'unlicensed' });
    const own = providerStates(fake, { sandbox });
    await sandbox.client().ppf.push({ body: {} });
    await own['user exists']?.({ name: 'bob' });
    expect((await sandbox.world()).licence.ppf).to.equal('expired');
    await own['']?.();
    expect((await sandbox.world()).licence.ppf).to.equal('expired');
  });

  const wrong: ReadonlyArray<readonly [state: string, params: object | undefined, says: string]> = [
    ['user exist', undefined, 'Unknown state "user exist" (did you mean "user exists"?)'],
    ['user exists', { nme: 'bob' }, '/nme: Unknown key "nme" (did you mean "name"?)'],
  ];
  it('rejects and reports what is wrong, and starts a new world next', async () => {
    for (const [state, params, says] of wrong) {
      await setUp('licence is', { licence: 'none' });
      const error = await failure(setUp(state, params), FakeError);
      expect(error.message).to.contain(says);
      expect(failures.splice(0)).to.deep.equal([error]);
      expect((await world()).licence.ppf).to.equal('none');
      await setUp('user exists', { name: 'dora' });
      expect((await world()).licence.ppf).to.equal('valid');
    }
  });

  it('is not a promise, and can be inspected', async () => {
    expect(await states).to.equal(states);
    expect(JSON.stringify(states)).to.equal('{}');
  });

  it('accepts the sandbox of a fake only', () => {
    expect(() => providerStates(fake, { sandbox: {} as never })).to.throw(TypeError, 'the sandbox of a fake');
    expect(() => providerStates(fake, { sandbox: 'a b' })).to.throw(FakeError, 'is not a valid sandbox name');
  });
});
