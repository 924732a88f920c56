// Misshapen bodies, for every operation that reads one: the response names the place, and the world stays unchanged. Bodies without JSON:
// tests/http/bad-input.
import { expect } from 'chai';
import type { Body } from '../../../server/engine/request/request.js';
import { operationOf } from '../../../server/operations/catalog/catalog.js';
import type { JsonSchema } from '../../../server/operations/schema.js';
import { ask, smallTeam } from '../../support/worlds/ask.js';
import { expectRefused, messageOf } from '../../support/worlds/judge.js';
import { validQuestions, withBody } from '../../support/worlds/valid.js';

const json = (value: unknown): Body => ({ kind: 'json', value, text: JSON.stringify(value) });

describe('bodies of another shape', () => {
  for (const id of withBody) {
    const { json: valid, ...rest } = validQuestions[id];
    const isList = Array.isArray(valid);
    const refused = (value: unknown) => ask(id, { ...rest, body: json(value) });

    it(`${id} refuses anything else than ${isList ? 'a list' : 'an object'}`, () => {
      const schema = operationOf(id)?.body?.schema as JsonSchema; // it reads a body
      const rule = schema['x-rule'] ?? (schema.items as JsonSchema | undefined)?.['x-rule'];
      for (const value of [null, true, 0, '{}', isList ? valid[0] : [valid], isList ? {} : []]) {
        const asked = refused(value);
        const message = isList ? /^The body must be a list, not / : /^The body must be an object, not /;
        expectRefused(asked, { status: 400, code: 'body-shape', message, gaps: {} });
        expect(asked.rules).to.include(rule);
      }
    });

    it(`${id} refuses fields of another type, and names their place`, () => {
      const fields = (isList ? valid[0] : valid) as Record<string, unknown>;
      for (const [name, right] of Object.entries(fields))
        for (const value of Array.isArray(right) ? [null, 'a', {}, [[]], [null]] : [null, 7, {}, [], false]) {
          const sent = { ...fields, [name]: value };
          const asked = refused(isList ? [sent] : sent);
          expect(asked.refused).to.equal('body-shape');
          expect(messageOf(asked)).to.match(new RegExp(`^${isList ? '/0' : ''}/${name}(?:/0)? must be `));
          expect(asked.world).to.equal(smallTeam);
        }
    });
  }
});

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
  const cases = [
    ['ppf.push', { users: 1 }, ['ppf.body-types', 'ppf.needs-item', 'ppf.invalid-is-400']],
    ['groups.add-users', { group: 1 }, ['groups.body']],
    ['permissions.edit-add', { groups: 1 }, ['permissions.body']],
    ['spaces.replace-in-page', [{ oldText: 1 }], ['spaces.replace-list']],
  ] as const;
  for (const [id, json, rules] of cases)
    it(`${rules.join(', ')}: ${id} names the rule of each error of ${JSON.stringify(json)}`, () => {
      expect(ask(id, { ...validQuestions[id], json }).rules).to.include.members([...rules]);
    });
});
