// One fake for all tests, and a sandbox for each.
import { expect } from 'chai';
import { startFake } from 'cwx-fake';
import { pushFilter } from './favourites.js';

describe('pushFilter', () => {
  let fake;
  let sandbox;
  before(async () => {
    fake = await startFake();
  });
  beforeEach(() => {
    sandbox = fake.sandbox();
  });
  after(() => fake.stop());

  it('gives the filter to everyone', async () => {
    const result = await pushFilter(sandbox.url, 'admin-token', 10500, ['alice', 'demouser1']);
    expect(result).to.deep.equal({ isComplete: true, failures: [] });
    const { favourites } = await sandbox.world();
    expect(favourites.demouser1.filters).to.deep.equal([10500]);
  });

  it('tells who is unknown', async () => {
    const { isComplete, failures } = await pushFilter(sandbox.url, 'admin-token', 10500, ['alice', 'bob']);
    expect(isComplete).to.equal(false);
    expect(failures).to.have.lengthOf(1);
  });

  it('rejects without a licence', async () => {
    await sandbox.patch({ licence: { ppf: 'expired' } });
    const error = await pushFilter(sandbox.url, 'admin-token', 10500, ['alice']).catch(caught => caught);
    expect(error.message).to.equal('push answered 403');
  });
});
