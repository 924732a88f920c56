// Unusual names as users, groups, spaces, titles and page ids, known and unknown. And numbers.
import { expect } from 'chai';
import { ask, smallTeam } from '../../support/worlds/ask.js';
import { expectDone, expectRefused, messageOf, teamWith } from '../../support/worlds/judge.js';

const NFC = 'caf\u00e9';
const NFD = 'cafe\u0301';
const odd = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'with space', 'a/b', 'a%2Fb', '%', 'a+b', 'a?b#c&d=e'],
  ...[NFC, NFD, '', ' ', '😀', '\u0000', 'a\nb', '"quoted"', '<script>', '../..', '\u202Eevil', 'x'.repeat(10_000)],
];
const shown = (name: string) => JSON.stringify(name.length > 80 ? `${name.slice(0, 77)}...` : name);

for (const name of odd) {
  const titled = shown(name).slice(0, 24);
  const own = <T>(value: T): Record<string, T> => Object.fromEntries([[name, value]]);
  const on = teamWith({
    users: own({}),
    groups: own<string[]>([]),
    spaces: own({ name }),
    pages: { '7': { space: name, title: name, body: 'text' } },
  });

  describe(`the name ${titled}`, () => {
    it('is shown if no user has it', () => {
      expectRefused(ask('groups.add-users', { json: { group: 'customers', users: [name] } }), {
        status: 404,
        code: 'unknown-user',
        message: `There is no user named ${shown(name)}.`,
      });
      expect(ask('ppf.push', { json: { users: [name], filters: [10500] } }).reply).to.deep.equal({
        success: false,
        messages: [`Could not find user with name ${name}`],
      });
    });

    it('is shown if no group has it, and can name a new group', () => {
      const json = { group: name, users: ['alice'] };
      expectRefused(ask('groups.set-users', { json }), {
        status: 404,
        code: 'unknown-group',
        message: `There is no group named ${shown(name)}.`,
      });
      const made = ask('groups.add-users', { json, readings: { 'unknown-group': 'create' } });
      expect(made.world.groups.get(name)?.toArray()).to.deep.equal(['alice']);
      expect(made.world.groups.size).to.equal(smallTeam.groups.size + 1);
      expect(Object.hasOwn(made.form.groups, name)).to.equal(true);
    });

    it('works as the name of a user and of a group', () => {
      const member = ask('groups.add-users', { on, json: { group: name, users: [name] } });
      expectDone(member, [{ type: 'group-member-added', group: name, user: name }]);
      expect(member.world.groups.get(name)?.toArray()).to.deep.equal([name]);
      const pushed = ask('ppf.push', { on: member.world, json: { groups: [name], filters: [10500] } });
      expect(pushed.facts).to.deep.equal([{ type: 'favourite-added', item: 'filters', ids: [10500], users: [name] }]);
      expect(pushed.world.favourites.get(name)?.filters.toArray()).to.deep.equal([10500]);
      const params = { pageId: '7' };
      const permitted = ask('permissions.view-add', { on, params, json: { users: [name], groups: [name] } });
      expect(permitted.form.pages['7']?.view).to.deep.equal({ users: [name], groups: [name] });
    });

    it('is shown if no page has it as its id', () => {
      if (name === '') return; // no path has an empty segment
      const readings = { 'page-id-format': 'any' } as const;
      const question = { params: { pageId: name }, json: { users: [], groups: [] }, readings };
      expectRefused(ask('permissions.edit-add', question), {
        status: 404,
        code: 'unknown-page',
        message: `There is no page with the id ${shown(name)}.`,
      });
    });

    it('works as the key of a space and the title of a page, known and unknown', () => {
      const query = { spaceKey: name, pageTitle: name };
      const json = [{ oldText: 'text', newText: name }];
      expect(messageOf(ask('spaces.replace-in-page', { query, json }))).to.equal(
        `There is no space with the key ${shown(name)}.`,
      );
      expect(messageOf(ask('spaces.replace-in-page', { query: { ...query, spaceKey: 'ds' }, json }))).to.equal(
        `There is no page with the title ${shown(name)} in the space "ds".`,
      );
      const asked = ask('spaces.replace-in-page', { on, query, json });
      expect(asked.status).to.equal(200);
      expect(asked.form.pages['7']).to.include({ title: name, body: name });
      expectDone(ask('spaces.is-unique', { on, query: { spaceKey: name, spaceName: name } }), [], false);
    });
  });
}

describe('a composed and a decomposed name', () => {
  it('are different', () => {
    expect(NFC).to.not.equal(NFD);
    const on = teamWith({ users: { [NFC]: {} }, groups: { [NFC]: [], [NFD]: [] } });
    const asked = ask('groups.add-users', { on, json: { group: NFD, users: [NFC] } });
    expect(asked.world.groups.get(NFD)?.toArray()).to.deep.equal([NFC]);
    expect(asked.world.groups.get(NFC)?.size).to.equal(0);
    expect(ask('groups.add-users', { on, json: { group: NFC, users: [NFD] } }).refused).to.equal('unknown-user');
  });
});

describe('numbers', () => {
  const push = (text: string) => {
    const body = `{"users":["alice"],"filters":[${text}]}`;
    return ask('ppf.push', { body: { kind: 'json', value: JSON.parse(body), text: body } });
  };
  const wrong: [text: string, message: string][] = [
    ['"10500"', '/filters/0 must be a whole number, not the text "10500".'],
    ['10500.5', '/filters/0 must be a whole number, not the number 10500.5.'],
    ['null', '/filters/0 must be a whole number, not null.'],
    ['true', '/filters/0 must be a whole number, not true.'],
    ['[10500]', '/filters/0 must be a whole number, not a list of length 1.'],
    ['1e400', '/filters/0 must be a whole number, not the number Infinity.'],
  ];
  for (const [text, message] of wrong) {
    it(`ppf.body-types: ${text} is not an id`, () => {
      const gaps = text.startsWith('"') ? { 'field-type': '400' } : {};
      expectRefused(push(text), { status: 400, code: 'body-shape', message, rules: ['ppf.body-types'], gaps });
    });
  }

  const unknown: [text: string, id: string][] = [
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['1e30', '1e30'],
    ['-1', '-1'],
    ['0', '0'],
    ['-0', '0'],
    ['9007199254740991', '9007199254740991'],
    ['1e3', '1000'],
  ];
  for (const [text, id] of unknown) {
    it(`ppf.body-types: ${text} is an id, of no filter`, () => {
      expectDone(push(text), [], { success: false, messages: [`Could not find filter with id ${id}`] });
    });
  }

  for (const text of ['10500', '10500.0', '1.05e4']) {
    it(`ppf.body-types: ${text} is the id 10500`, () => {
      expectDone(push(text), [{ type: 'favourite-added', item: 'filters', ids: [10500], users: ['alice'] }], {
        success: true,
        messages: [],
      });
    });
  }
});
