// The ways in which a server can do too much, too little or something else, and what it leaves behind for later requests.
import { expect } from 'chai';
import { Set as PSet } from 'immutable';
import { putPage } from '../../../../server/domain/pages.js';
import { emptyWorld, noNames, type Page, type World } from '../../../../server/domain/world.js';
import { operations, rules } from '../../../../server/operations/catalog.js';
import { alterationsOf } from '../../../../server/remote/conform/diagnosis/alterations/alterations.js';
import { leftBehind } from '../../../../server/remote/conform/diagnosis/alterations/altered-worlds.js';

const page: Page = {
  space: 'ds',
  title: 'Welcome',
  body: '',
  author: 'a',
  created: '',
  updatedBy: 'a',
  updated: '',
  version: 1,
  position: 1,
  edit: noNames,
  view: noNames,
};
const grouped = (...members: string[]): World => ({ ...emptyWorld, groups: emptyWorld.groups.set('g', PSet(members)) });
const request = (body: unknown) => ({
  method: 'POST',
  path: '/rest/cwxapiextension/latest/groups/add-users',
  headers: { Authorization: `Basic ${Buffer.from('admin:secret').toString('base64')}` },
  body: JSON.stringify(body),
});

function altered(rule: string, name: string) {
  const found = alterationsOf(rule, rule).find(one => one.name === name);
  if (found === undefined) throw new Error(`${rule} has no alteration ${name}`);
  return found;
}
const members = (world: World | undefined) => [...(world?.groups.get('g') ?? [])].sort();

describe('the alterations of an operation', () => {
  it('have a name each, and change the request or the world', () => {
    for (const { id, rules: own } of operations)
      for (const rule of Object.keys(own).filter(one => rules[one]?.effect)) {
        const all = alterationsOf(rule, id);
        expect(new Set(all.map(({ name }) => name)).size, `${rule} of ${id}`).to.equal(all.length);
        for (const { name, asked, world } of all) expect(asked ?? world, `${rule}: ${name}`).to.be.a('function');
      }
  });

  const rule = 'groups.add-users';
  it('take the caller for a user who is named, or for all of them', () => {
    const asked = (name: string) => altered(rule, name).asked?.(request({ group: 'g', users: ['bob'] })).body;
    expect(asked('the caller is meant as well')).to.equal('{"group":"g","users":["bob","admin"]}');
    expect(asked('the caller is meant')).to.equal('{"group":"g","users":["admin"]}');
  });

  it('keep somebody who should go, or let somebody go who should stay', () => {
    const become = (name: string, after: World, before: World) =>
      members(altered(rule, name).world?.(after, before, request({})));
    expect(become('somebody stays who should go', grouped('c'), grouped('a', 'b', 'c'))).to.deep.equal(['a', 'c']);
    expect(become('somebody else goes as well', grouped('b', 'c'), grouped('a', 'b', 'c'))).to.have.length(1);
    expect(become('those go who should stay', grouped('c'), grouped('a', 'b', 'c'))).to.deep.equal(['a', 'b']);
    expect(become('nothing where somebody is there', grouped('a', 'b'), grouped('a'))).to.deep.equal(['a']);
    expect(become('nothing where nobody is there', grouped('a'), grouped())).to.deep.equal([]);
  });

  it('write a title in another way', () => {
    const [before, after] = [page, { ...page, title: 'Zoë & Co' }].map(one => putPage(emptyWorld, '1', one));
    const body = [{ oldText: 'Welcome', newText: 'Zoë & Co' }];
    const titled = (name: string) =>
      altered('spaces.replace-title', name)
        .world?.(after ?? emptyWorld, before ?? emptyWorld, request(body))
        .pages.get('1')?.title;
    expect(titled('the title is escaped')).to.equal('Zoë &amp; Co');
    expect(titled('the title loses its letters beyond ASCII')).to.equal('Zo & Co');
    expect(titled('the title is in small letters')).to.equal('zoë & co');
  });
});

describe('what a server leaves behind', () => {
  it('is what differs at the end of a file from a correct server, of what was there before', () => {
    const before = putPage(grouped('a'), '1', page);
    const right = putPage(grouped('a', 'b'), '1', page);
    const end = grouped('b');
    const left = leftBehind('the pages are moved', before, [[end, right]]);
    const world = left?.into(before);
    expect(members(world)).to.deep.equal(['b']);
    expect(world?.pages.size).to.equal(0);
  });

  it('is nothing if there is no difference', () => {
    expect(leftBehind('nothing', grouped('a'), [[grouped('b'), grouped('b')]])).to.equal(undefined);
  });
});
