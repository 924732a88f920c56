// Profiles in a program: of a fake, a scenario, a sandbox or the environment; and how long they last.
import { expect } from 'chai';
import { createFake, FakeError } from '../../server/index.js';
import { settingsOf } from '../../server/library/options.js';
import { profileReadings } from '../../server/operations/gaps/profiles.js';
import { useFake } from '../support/worlds/use-fake.js';

describe('a profile in a program', () => {
  const fake = useFake(() => createFake({ profile: 'strict', readings: { 'unknown-user': 'skip' } }));

  it('is that of the fake, unless the sandbox has its own; single readings override both', async () => {
    const own = fake.sandbox('own', { profile: 'realistic', readings: { 'no-change': '409' } });
    expect(await fake.sandbox('plain').readings.get()).to.deep.equal({
      ...profileReadings('strict'),
      'unknown-user': 'skip',
    });
    const chosen = { ...profileReadings('realistic'), 'unknown-user': 'skip', 'no-change': '409' };
    expect(await own.readings.get()).to.deep.equal(chosen);
    expect((await own.describe()).profile).to.equal('realistic');
    expect((await fake.sandbox('plain').describe()).profile).to.equal('strict');
  });

  it('stays over a reset and in a fork, and in a recording as readings', async () => {
    const sandbox = fake.sandbox('kept', { profile: 'realistic' });
    await sandbox.readings.set({ 'no-change': '409' });
    const fork = await sandbox.fork('fork');
    expect(await fork.readings.get()).to.include({ 'wiki-success': 'no-content', 'no-change': '409' });
    await sandbox.reset();
    expect(await sandbox.readings.get()).to.include({ 'wiki-success': 'no-content', 'no-change': 'ok' });
    await sandbox.client('admin').groups.addUsers({ body: { group: 'customers', users: ['alice'] } });
    expect(await sandbox.record()).to.include('wiki-success: no-content');
  });

  it("of the environment is overridden by the program's choice", () => {
    const env = { CWX_FAKE_PROFILE: 'strict', CWX_FAKE_READING: 'unknown-user=400' };
    expect(settingsOf({}, 'createFake', env)).to.deep.include({
      profile: 'strict',
      readings: { 'unknown-user': '400' },
      pinned: {},
    });
    expect(settingsOf({ profile: 'realistic' }, 'createFake', env).profile).to.equal('realistic');
    expect(settingsOf({}, 'createFake', {})).not.to.have.property('profile');
  });

  it('is reported with the nearest name if it is unknown', () => {
    const failing = (given: object, env = {}) => {
      try {
        settingsOf(given, 'createFake', env);
      } catch (error) {
        if (error instanceof FakeError)
          return error.problems.map(({ message, pointer = '' }) => `${pointer} ${message}`);
      }
      return expect.fail('it is taken');
    };
    const expected = 'expected lenient, strict or realistic (did you mean "strict"?)';
    expect(failing({ profile: 'strct' })).to.deep.equal([`/profile ${expected}, not "strct"`]);
    expect(failing({}, { CWX_FAKE_PROFILE: 'strct' })).to.deep.equal([` CWX_FAKE_PROFILE: ${expected}`]);
    expect(() => fake.sandbox('x', { profile: 'strct' as never })).to.throw(FakeError, '/profile');
  });
});
