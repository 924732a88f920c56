// What push and pull require of a request, and how they report the result: the rules of the document's section 4.5, one by one.
import { expect } from 'chai';
import { ask } from '../../support/worlds/ask.js';
import { expectDone, expectRefused, teamWith } from '../../support/worlds/judge.js';

const place = ['address.ppf-path', 'address.json-bodies', 'ppf.body-types'];
const failure = (...messages: string[]) => ({ success: false, messages });
const on = teamWith({ filters: { '10700': { owner: 'admin', sharedWith: 'everyone' } } });

describe('ppf: required fields', () => {
  for (const id of ['ppf.push', 'ppf.pull'] as const) {
    it(`ppf.invalid-is-400: ${id} with {} and without a body breaks both rules`, () => {
      for (const json of [{}, undefined]) {
        expectRefused(ask(id, { json }), {
          status: 400,
          code: 'ppf-no-recipient',
          message: /at least one of users and groups\.\n.*at least one of filters and dashboards/,
          rules: ['ppf.needs-recipient', 'ppf.needs-item', 'ppf.invalid-is-400'],
          gaps: {},
        });
      }
    });
  }
});

describe('ppf: the response', () => {
  it('ppf.failure-message: an unknown user is named in the words of the vendor; the rest is done', () => {
    const asked = ask('ppf.push', { json: { users: ['bob', 'alice'], filters: [10500] } });
    expectDone(
      asked,
      [{ type: 'favourite-added', item: 'filters', ids: [10500], users: ['alice'] }],
      failure('Could not find user with name bob'),
    );
    expect(asked.rules).to.deep.equal([
      ...place,
      'ppf.push',
      'ppf.processed-is-200',
      'ppf.success-flag',
      'ppf.failure-message',
    ]);
  });

  it('ppf.failure-message: messages have the order users, groups, filters, dashboards, each as given and once', () => {
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

  it('ppf.processed-is-200: a request without any known user is processed too', () => {
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

  it('refuses more than 100,000 pairs of users and items whole (413)', () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [String(i + 1), {}]));
    const world = teamWith({
      users: Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`u${i}`, {}])),
      filters: many,
    });
    const json = {
      users: [...world.users.keys()].filter(name => /^u\d/.test(name)),
      filters: Object.keys(many).map(Number),
    };
    expectRefused(ask('ppf.push', { on: world, json }), {
      status: 413,
      code: 'too-much-at-once',
      message: '1000 users and 101 items are 101000 pairs, but this fake accepts at most 100000. Send fewer at a time.',
      on: world,
    });
  });
});
