// How many errors of a body a refusal lists, and the rules that it names. Misshapen bodies: tests/derive/schemas and tests/fuzz; without JSON:
// tests/http/bad-input.
import { expect } from 'chai';
import { ask } from '../../support/worlds/ask.js';
import { messageOf } from '../../support/worlds/judge.js';
import { validQuestions } from '../../support/worlds/valid.js';

describe('many errors at once', () => {
  it('lists the first five, and the number of the others', () => {
    const users = [1, 2, 3, 4, 5, 6, 7];
    const asked = ask('groups.add-users', { json: { group: 'customers', users } });
    expect(messageOf(asked)).to.match(
      /^\/users\/0 must be a string.*\/users\/4 must be a string, not 5; and 2 more\.$/,
    );
  });

  it('lists only the first for a long body', () => {
    const users = Array.from({ length: 10_000 }, (_, i) => 1_000_000 + i);
    const asked = ask('groups.add-users', { json: { group: 'customers', users } });
    expect(messageOf(asked)).to.equal('/users/0 must be a string, not 1000000.');
  });

  it('refuses a list of more than 10,000 elements and more unknown fields with 413, without any effect', () => {
    const users = Array.from({ length: 10_001 }, () => 'alice');
    const list = users.map(() => ({ oldText: 'a', newText: 'b' }));
    const query = { spaceKey: 'ds', pageTitle: 'Welcome' };
    for (const [asked, what] of [
      [ask('groups.add-users', { json: { group: 'customers', users } }), 'The list /users has 10001 elements'],
      [ask('spaces.replace-in-page', { query, json: list }), 'The list has 10001 elements'],
      [ask('groups.add-users', { json: Object.fromEntries(users.map((_, i) => [`k${i}`, i])) }), 'The body has 10001'],
    ] as const) {
      expect(asked).to.deep.include({ status: 413, refused: 'body-too-large', facts: [] });
      expect(messageOf(asked)).to.match(new RegExp(`^${what}`));
    }
  });

  it('lists ten unknown names and five unknown fields', () => {
    const users = Array.from({ length: 1000 }, (_, i) => `nobody-${i}`);
    expect(messageOf(ask('groups.add-users', { json: { group: 'customers', users } }))).to.match(
      /^There are no users named "nobody-0", .*"nobody-9" and 990 more\.$/,
    );
    const json = { group: 'customers', users: [], ...Object.fromEntries(users.map(name => [name, 1])) };
    expect(messageOf(ask('groups.add-users', { json, readings: { 'unknown-field': '400' } }))).to.match(
      /^Unknown fields "nobody-0", .*"nobody-4" and 995 more: expected group or users\.$/,
    );
  });
});

describe('the rules of a refusal', () => {
  it('are those of each error', () => {
    for (const [id, json, rules] of [
      ['ppf.push', { users: 1 }, ['ppf.body-types', 'ppf.needs-item', 'ppf.invalid-is-400']],
      ['ppf.push', [], ['ppf.body-types']],
      ['groups.add-users', { group: 1 }, ['groups.body']],
      ['permissions.edit-add', { groups: 1 }, ['permissions.body']],
      ['spaces.replace-in-page', [{ oldText: 1 }], ['spaces.replace-list']],
      ['spaces.replace-in-page', {}, ['spaces.replace-list']],
    ] as const)
      expect(ask(id, { ...validQuestions[id], json }).rules).to.include.members([...rules]);
  });
});
