// Push and pull as the document's section 4.5 has them: who is meant, what is meant, what becomes favourite, and what is said about it.
import { expect } from 'chai';
import type { FavouritesForm } from '../../server/domain/form-shapes.js';
import { ask } from '../support/ask.js';
import { expectDone, expectRefused, teamWith } from '../support/judge.js';

const place = ['address.no-context-path', 'address.ppf-path', 'address.json-bodies', 'ppf.body-types'];
const success = { success: true, messages: [] };
const failure = (...messages: string[]) => ({ success: false, messages });
const { form: before } = ask('spaces.is-unique', { query: { spaceKey: 'x', spaceName: 'x' } });
const withFavourites = (favourites: Record<string, FavouritesForm>) => ({
  ...before,
  favourites: { ...before.favourites, ...favourites },
});
const on = teamWith({ filters: { '10700': { owner: 'admin', sharedWith: 'everyone' } } });

describe('ppf.push', () => {
  it('ppf.push: filters and dashboards become favourites of users and of the members of groups, and nothing else changes', () => {
    const json = { users: ['alice'], groups: ['team-members'], filters: [10500], dashboards: [11000] };
    const asked = ask('ppf.push', { json });
    expectDone(
      asked,
      [
        { type: 'favourite-added', item: 'filters', id: 10500, users: ['alice', 'demouser1'] },
        { type: 'favourite-added', item: 'dashboards', id: 11000, users: ['alice', 'demouser1'] },
      ],
      success,
    );
    expect(asked.rules).to.deep.equal([...place, 'ppf.push', 'ppf.processed-is-200', 'ppf.success-flag']);
    expect(asked.gaps).to.deep.equal({ 'ppf-effect': 'push-adds' });
    const both = { filters: [10500], dashboards: [11000] };
    expect(asked.form).to.deep.equal(withFavourites({ alice: both, demouser1: both }));
  });

  it('ppf.push: what is a favourite already stays one', () => {
    const asked = ask('ppf.push', { json: { users: ['carol'], filters: [10500, 10600] } });
    expectDone(asked, [{ type: 'favourite-added', item: 'filters', id: 10500, users: ['carol'] }], success);
    expect(asked.form).to.deep.equal(withFavourites({ carol: { filters: [10500, 10600], dashboards: [] } }));
  });

  it('ppf.push: a user named twice, or by name and by two groups, counts once; so does an item', () => {
    const world = teamWith({ groups: { a: ['alice', 'demouser2'], b: ['alice'] } });
    const json = { users: ['alice', 'alice'], groups: ['a', 'b', 'a'], filters: [10500, 10500] };
    const asked = ask('ppf.push', { on: world, json, readings: { 'ppf-no-change': 'message' } });
    expectDone(
      asked,
      [{ type: 'favourite-added', item: 'filters', id: 10500, users: ['alice', 'demouser2'] }],
      success,
    );
  });

  it('ppf.push: a group stands for those who are members at that moment', () => {
    const pushed = ask('ppf.push', { json: { groups: ['team-members'], filters: [10500] } });
    const joined = ask('groups.add-users', {
      on: pushed.world,
      json: { group: 'team-members', users: ['demouser2'] },
    });
    expect(joined.form.favourites.demouser2?.filters).to.deep.equal([]);
    const again = ask('ppf.push', { on: joined.world, json: { groups: ['team-members'], filters: [10500] } });
    expect(again.facts).to.deep.equal([
      { type: 'favourite-added', item: 'filters', id: 10500, users: ['demouser2'] },
    ]);
    const left = ask('groups.set-users', { on: again.world, json: { group: 'team-members', users: [] } });
    expect(left.form.favourites.demouser1?.filters).to.deep.equal([10500]);
  });

  it('ppf.push: a group without members is no error and reaches nobody', () => {
    const asked = ask('ppf.push', { json: { groups: ['customers'], filters: [10500] } });
    expectDone(asked, [], success);
    expect(asked.gaps).to.deep.equal({});
  });

  it('ppf.push: the owner of a private item, and the members of a group it is shared with, may have it', () => {
    const own = ask('ppf.push', { json: { users: ['carol'], dashboards: [11100] } });
    expectDone(own, [{ type: 'favourite-added', item: 'dashboards', id: 11100, users: ['carol'] }], success);
    const shared = ask('ppf.push', { json: { users: ['alice'], filters: [10600] } });
    expectDone(shared, [{ type: 'favourite-added', item: 'filters', id: 10600, users: ['alice'] }], success);
  });
});

describe('ppf.pull', () => {
  it('ppf.pull: they are no longer favourites, and nothing else changes', () => {
    const asked = ask('ppf.pull', { json: { groups: ['jira-core-users'], filters: [10600] } });
    expectDone(asked, [{ type: 'favourite-removed', item: 'filters', id: 10600, users: ['carol'] }], success);
    expect(asked.rules).to.deep.equal([...place, 'ppf.pull', 'ppf.processed-is-200', 'ppf.success-flag']);
    expect(asked.form).to.deep.equal(withFavourites({ carol: { filters: [], dashboards: [] } }));
  });

  it('ppf.pull: undoes a push', () => {
    const json = { users: ['alice', 'demouser1'], groups: ['team-members'], filters: [10500], dashboards: [11000] };
    const pushed = ask('ppf.push', { json });
    expect(ask('ppf.pull', { on: pushed.world, json }).form).to.deep.equal(before);
  });

  it('ppf.pull: takes away what the user may no longer see, without a message', () => {
    const world = teamWith({ favourites: { alice: { filters: [], dashboards: [11100] } } });
    const asked = ask('ppf.pull', { on: world, json: { users: ['alice'], dashboards: [11100] } });
    expectDone(asked, [{ type: 'favourite-removed', item: 'dashboards', id: 11100, users: ['alice'] }], success);
    expect(asked.gaps).not.to.have.property('ppf-invisible-item');
  });

  it('ppf.pull: leaves the favourites of others, and other items, alone', () => {
    const world = teamWith({
      favourites: { alice: { filters: [10600, 10500] }, carol: { filters: [10600] } },
    });
    const asked = ask('ppf.pull', { on: world, json: { users: ['alice'], filters: [10600] } });
    expect(asked.form.favourites).to.deep.include({
      alice: { filters: [10500], dashboards: [] },
      carol: { filters: [10600], dashboards: [] },
    });
  });

  it('a filter and a dashboard of the same id are two things', () => {
    const world = teamWith({ dashboards: { '10500': { owner: 'admin', sharedWith: 'everyone' } } });
    const asked = ask('ppf.push', { on: world, json: { users: ['alice'], dashboards: [10500] } });
    expect(asked.form.favourites.alice).to.deep.equal({ filters: [], dashboards: [10500] });
  });
});

describe('ppf: who and what is due', () => {
  for (const id of ['ppf.push', 'ppf.pull'] as const) {
    const noRecipient = 'The body must have at least one of users and groups';
    const noItem = 'The body must have at least one of filters and dashboards';

    it(`ppf.needs-recipient: ${id} without users and groups is 400`, () => {
      const asked = ask(id, { json: { filters: [10500] } });
      expectRefused(asked, {
        status: 400,
        code: 'ppf-no-recipient',
        message: new RegExp(`^${noRecipient}`),
        rules: ['ppf.needs-recipient', 'ppf.invalid-is-400'],
        gaps: {},
      });
      expect(asked.rules).not.to.include.members(['ppf.needs-item']);
      expect(asked.rules).not.to.include(id);
    });

    it(`ppf.needs-item: ${id} without filters and dashboards is 400`, () => {
      const asked = ask(id, { json: { users: ['alice'] } });
      expectRefused(asked, {
        status: 400,
        code: 'ppf-no-item',
        message: new RegExp(`^${noItem}`),
        rules: ['ppf.needs-item', 'ppf.invalid-is-400'],
        gaps: {},
      });
      expect(asked.rules).not.to.include('ppf.needs-recipient');
    });

    it(`ppf.invalid-is-400: ${id} with {} and without a body breaks both rules`, () => {
      for (const json of [{}, undefined]) {
        expectRefused(ask(id, { json }), {
          status: 400,
          code: 'ppf-no-recipient',
          message: /at least one of users and groups.*at least one of filters and dashboards/,
          rules: ['ppf.needs-recipient', 'ppf.needs-item', 'ppf.invalid-is-400'],
          gaps: {},
        });
      }
    });

    for (const json of [
      { users: ['alice'], filters: [10500] },
      { users: ['alice'], dashboards: [11000] },
      { groups: ['customers'], filters: [10500] },
      { groups: ['customers'], dashboards: [11000] },
    ]) {
      it(`ppf.needs-recipient, ppf.needs-item: ${id} takes ${Object.keys(json).join(' and ')}`, () => {
        const asked = ask(id, { json });
        expect(asked.status).to.equal(200);
        expect(asked.rules).to.include.members(['ppf.body-types', 'ppf.processed-is-200', id]);
      });
    }

    it(`ppf.body-types: ${id} takes names as text and ids as whole numbers`, () => {
      const wrong = { users: [1], groups: 'customers', filters: ['10500'], dashboards: [1.5, null, 2 ** 53] };
      expectRefused(ask(id, { json: wrong }), {
        status: 400,
        code: 'body-shape',
        message: /^\/users\/0 must be text, and it is the number 1; \/groups must be a list/,
        rules: ['ppf.body-types'],
        gaps: {},
      });
      for (const json of [{ users: ['alice'], filters: 10500 }, { users: null, filters: [10500] }, [], 'push', null]) {
        expect(ask(id, { json }).refused).to.equal('body-shape');
      }
    });
  }
});

describe('ppf: what is said', () => {
  it('ppf.failure-message: a user who is not found is named in the words of the makers; the rest is done', () => {
    const asked = ask('ppf.push', { json: { users: ['bob', 'alice'], filters: [10500] } });
    expectDone(
      asked,
      [{ type: 'favourite-added', item: 'filters', id: 10500, users: ['alice'] }],
      failure('Could not find user with name bob'),
    );
    expect(asked.rules).to.deep.equal([
      ...place,
      'ppf.push',
      'ppf.processed-is-200',
      'ppf.success-flag',
      'ppf.failure-message',
    ]);
    expect(asked.gaps).to.deep.equal({ 'ppf-effect': 'push-adds', 'ppf-partial': 'apply-rest' });
  });

  it('ppf.failure-message: messages stand in the order users, groups, filters, dashboards, each as given and once', () => {
    const json = {
      dashboards: [9, 11000, 8, 9],
      filters: [7, 10500, 6],
      groups: ['zz', 'customers', 'aa', 'zz'],
      users: ['zoe', 'bob', 'alice', 'zoe'],
    };
    for (const id of ['ppf.push', 'ppf.pull'] as const) {
      expect(ask(id, { json }).reply).to.deep.equal(
        failure(
          'Could not find user with name zoe',
          'Could not find user with name bob',
          'Could not find group with name zz',
          'Could not find group with name aa',
          'Could not find filter with id 7',
          'Could not find filter with id 6',
          'Could not find dashboard with id 9',
          'Could not find dashboard with id 8',
        ),
      );
    }
  });

  it('ppf.processed-is-200: nobody found at all is processed too', () => {
    const asked = ask('ppf.push', { json: { users: ['bob'], filters: [-1] } });
    expectDone(asked, [], failure('Could not find user with name bob', 'Could not find filter with id -1'));
    expect(asked.rules).to.include('ppf.processed-is-200');
  });

  it('ppf.success-flag: true exactly when there is no message', () => {
    const requests = [
      { users: ['alice'], filters: [10500] },
      { users: ['alice', 'bob'], filters: [10500] },
      { users: ['alice'], filters: [10500, 1] },
      { users: ['alice'], dashboards: [11100] },
      { groups: ['customers'], dashboards: [11100] },
      { users: ['carol'], filters: [10600] },
    ];
    for (const json of requests) {
      for (const noChange of ['ok', 'message'] as const) {
        const asked = ask('ppf.push', { on, json, readings: { 'ppf-no-change': noChange } });
        const { success: flag, messages } = asked.reply as { success: boolean; messages: string[] };
        expect(asked.status).to.equal(200);
        expect(flag).to.equal(messages.length === 0);
        expect(asked.rules.includes('ppf.failure-message')).to.equal(!flag);
      }
    }
  });

  it('more pairs of users and items than one request may concern are refused whole', () => {
    const many = Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [String(i + 1), {}]));
    const world = teamWith({
      users: Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`u${i}`, {}])),
      filters: many,
    });
    const json = { users: [...world.users.keys()].filter(name => /^u\d/.test(name)), filters: Object.keys(many).map(Number) };
    expectRefused(ask('ppf.push', { on: world, json }), {
      status: 413,
      code: 'too-much-at-once',
      message: '1000 users and 2001 items are more than one request may concern: send fewer at a time.',
      gaps: {},
      on: world,
    });
  });
});
