// The two consumers against the fake itself: how they handle refusals, not all of which their contracts contain.
import { expect } from 'chai';
import { FavouritesClient, TurnedAway } from '../../contracts/consumers/favourites-client.js';
import { NotDone, Onboarding } from '../../contracts/consumers/onboarding-client.js';
import { createFake, type Fake } from '../../server/index.js';
import { failure } from '../support/worlds/failure.js';

describe('the onboarding client', () => {
  let fake: Fake;
  before(async () => {
    fake = await createFake();
  });
  after(() => fake.stop());

  it('sets a team up from nothing', async () => {
    const sandbox = fake.sandbox();
    const wiki = new Onboarding(sandbox.client('admin'));
    await wiki.makeSpace('tmpl', { key: 'APOLLO', title: 'Apollo', admin: 'alice', keepHistory: true });
    await wiki.link('APOLLO', 'Handbook', 'https://example.com');
    await wiki.fillIn('APOLLO', 'Template Home', { NAME: 'Apollo', Template: 'Apollo' });
    await wiki.staff('customers', ['alice', 'carol']);
    await wiki.leave('customers', ['carol']);
    const { spaces, pages, groups } = await sandbox.world();
    expect(spaces.APOLLO?.sidebar).to.deep.equal([{ label: 'Handbook', url: 'https://example.com' }]);
    expect(Object.values(pages).find(({ space }) => space === 'APOLLO')).to.deep.include({
      title: 'Apollo Home',
      body: '<p>Project Apollo starts here. Apollo!</p>',
      author: 'carol',
    });
    expect(groups.customers).to.deep.equal(['alice']);
  });

  it('accepts every form of success', async () => {
    for (const success of ['object', 'empty', 'no-content', 'messages'] as const) {
      const sandbox = fake.sandbox(undefined, { readings: { 'wiki-success': success } });
      await new Onboarding(sandbox.client('admin')).join('customers', ['alice']);
      expect((await sandbox.world()).groups.customers, success).to.deep.equal(['alice']);
    }
  });

  it('reports what was not done, and the reason if the server gives one', async () => {
    const error = await failure(new Onboarding(fake.sandbox().client('admin')).join('customers', ['bob']), NotDone);
    expect(error).to.include({ operation: 'groups.add-users', status: 404 });
    expect(error.message).to.match(/^groups\.add-users returned 404: .*"bob"/);
    const silent = fake.sandbox(undefined, { readings: { 'wiki-error-body': 'empty' } });
    const other = await failure(
      new Onboarding(silent.client('admin')).letView('1', { users: [], groups: [] }),
      NotDone,
    );
    expect(other).to.have.property('message', 'permissions.view-add returned 404');
  });
});

describe('the favourites client', () => {
  let fake: Fake;
  before(async () => {
    fake = await createFake();
  });
  after(() => fake.stop());

  it('adds and removes', async () => {
    const sandbox = fake.sandbox();
    const client = new FavouritesClient(sandbox.client('admin'));
    expect(await client.give({ users: ['alice', 'bob'], filters: [10500] })).to.deep.equal({
      done: false,
      problems: ['Could not find user with name bob'],
    });
    expect(await client.take({ users: ['carol'], filters: [10600] })).to.deep.equal({ done: true, problems: [] });
    const { alice, carol } = (await sandbox.world()).favourites;
    expect(alice?.filters).to.deep.equal([10500]);
    expect(carol?.filters).to.deep.equal([]);
  });

  it('treats 401 and 403 alike', async () => {
    for (const reading of ['401', '403'] as const) {
      const sandbox = fake.sandbox(undefined, { readings: { 'ppf-anonymous': reading } });
      const error = await failure(
        new FavouritesClient(sandbox.client()).give({ users: ['alice'], filters: [10500] }),
        TurnedAway,
      );
      expect(error).to.include({ why: 'not permitted', message: `the tracker answered ${reading}: not permitted` });
    }
  });

  it('reports any other status', async () => {
    const sandbox = fake.sandbox();
    await sandbox.faults.set([{ operation: 'ppf.push', effect: { status: 413 } }]);
    const asked = new FavouritesClient(sandbox.client('admin')).give({ users: ['alice'], filters: [10500] });
    const error = await failure(asked, TurnedAway);
    expect(error).to.include({ why: 'something else', message: 'the tracker answered 413: something else' });
  });
});
