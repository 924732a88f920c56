// The table of provider states: what each adds to a world, what it returns, and its errors for wrong parameters.

import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import { applyPatch } from '../../../server/domain/form/patch.js';
import { pointerOf } from '../../../server/domain/json/json-pointer.js';
import type { World } from '../../../server/domain/world/world.js';
import { patchErrors } from '../../../server/scenario/checks/world-patch.js';
import { addedBy, providerStateOf } from '../../../server/scenario/states/provider-states.js';
import { paramsFromText } from '../../../server/scenario/states/state-text.js';
import { smallTeam } from '../../support/worlds/ask.js';

function add(state: string, params: unknown, world: World = smallTeam) {
  const known = providerStateOf(state);
  if (known === undefined) throw new Error(`there is no state ${state}`);
  return addedBy(known, params, world);
}

/** The resulting part of the world, and the values. */
function worldWith(state: string, params: unknown, world: World = smallTeam) {
  const added = add(state, params, world);
  if ('errors' in added) throw new Error(JSON.stringify(added.errors));
  expect(patchErrors(world, added.patch)).to.deep.equal([]);
  return { form: formOf(applyPatch(world, added.patch)), values: added.values };
}

describe('provider states', () => {
  it('user exists: creates a user with all given fields', () => {
    const user = { displayName: 'Bob', admin: true, password: 'b', token: 't' };
    const { form, values } = worldWith('user exists', { name: 'bob', ...user });
    expect(form.users.bob).to.deep.equal(user);
    expect(values).to.deep.equal({ user: 'bob', password: 'b', token: 't' });
  });

  it('user exists: changes only the given fields of an existing user', () => {
    const { form, values } = worldWith('user exists', { name: 'admin', displayName: 'A' });
    expect(form.users.admin).to.deep.equal({ ...formOf(smallTeam).users.admin, displayName: 'A' });
    expect(values).to.deep.equal({ user: 'admin' });
  });

  it('group exists: new and empty, new with members, unchanged, or with other members', () => {
    const members = (params: object) => worldWith('group exists', params).form.groups;
    expect(members({ name: 'new' }).new).to.deep.equal([]);
    expect(members({ name: 'new', members: ['carol', 'alice'] }).new).to.deep.equal(['alice', 'carol']);
    expect(members({ name: 'jira-core-users' })['jira-core-users']).to.deep.equal(['alice', 'carol']);
    expect(members({ name: 'jira-core-users', members: [] })['jira-core-users']).to.deep.equal([]);
    expect(worldWith('group exists', { name: 'new' }).values).to.deep.equal({ group: 'new' });
  });

  it('space exists: uses its key as its name unless a name is given', () => {
    expect(worldWith('space exists', { key: 'new' })).to.have.nested.property('form.spaces.new.name', 'new');
    const named = worldWith('space exists', { key: 'new', name: 'New one' });
    expect(named.form.spaces.new?.name).to.equal('New one');
    expect(named.values).to.deep.equal({ spaceKey: 'new', spaceName: 'New one' });
    const known = worldWith('space exists', { key: 'ds' });
    expect(known.form).to.deep.equal(formOf(smallTeam));
    expect(known.values).to.deep.equal({ spaceKey: 'ds', spaceName: 'Demonstration Space' });
  });

  it('page exists: takes the given id, the next one, or the existing page', () => {
    const given = worldWith('page exists', { id: 4711, space: 'ds', title: 'New', body: 'text' });
    expect(given.form.pages[4711]).to.include({ space: 'ds', title: 'New', body: 'text', version: 1 });
    expect(given.values).to.deep.equal({ pageId: '4711', pageTitle: 'New', spaceKey: 'ds' });
    expect(worldWith('page exists', { id: '4711', space: 'ds', title: 'New' }).values).to.include({ pageId: '4711' });
    const next = worldWith('page exists', { space: 'ds', title: 'New' });
    expect(next.values).to.include({ pageId: '65702' });
    expect(next.form.nextPageId).to.equal(65703);
    const there = worldWith('page exists', { space: 'ds', title: 'Welcome', body: 'text' });
    expect(there.values).to.include({ pageId: '65601' });
    expect(there.form.pages[65601]).to.include({ body: 'text', author: 'alice' });
  });

  it('filter exists, dashboard exists: shared with everyone, by the first admin, unless given otherwise', () => {
    for (const [kind, id] of Object.entries({ filter: 10600, dashboard: 11100 })) {
      const [state, kinds] = [`${kind} exists`, `${kind}s` as 'filters' | 'dashboards'];
      const fresh = worldWith(state, { id: 7 });
      expect(fresh.form[kinds][7]).to.deep.equal({ name: '7', owner: 'admin', sharedWith: 'everyone' });
      expect(fresh.values).to.deep.equal({ [`${kind}Id`]: 7 });
      const said = { name: 'Mine', owner: 'carol', sharedWith: { users: ['alice'], groups: [] } };
      expect(worldWith(state, { id: '8', ...said }).form[kinds][8]).to.deep.equal(said);
      expect(worldWith(state, { id }).form).to.deep.equal(formOf(smallTeam));
    }
  });

  it('caller is not an admin: applies to a new user and to a former admin', () => {
    const { form, values } = worldWith('caller is not an admin', { user: 'admin' });
    expect(form.users.admin).to.deep.equal({ ...formOf(smallTeam).users.admin, admin: false });
    expect(values).to.deep.equal({ user: 'admin' });
    expect(worldWith('caller is not an admin', { user: 'bob' }).form.users.bob).to.include({ admin: false });
  });

  it('licence is: valid, expired or none', () => {
    for (const licence of ['valid', 'expired', 'none']) {
      const { form, values } = worldWith('licence is', { licence });
      expect({ licence: form.licence, values }).to.deep.equal({ licence: { ppf: licence }, values: { licence } });
    }
  });

  it('take property names of objects in text parameters as ordinary names, which no state has', () => {
    const read = paramsFromText('user exists', [
      ['__proto__', 'a'],
      ['constructor', '1'],
      ['constructor', '2'],
    ]);
    expect(JSON.stringify(read)).to.equal('{"params":{"__proto__":"a","constructor":["1","2"]}}');
  });

  it('refuse wrong parameters, with the place', () => {
    for (const [state, params, pointer] of [
      ['user exists', {}, ''],
      ['group exists', { name: ' ' }, '/name'],
      ['user exists', { name: 'a', admn: true }, '/admn'],
      ['user exists', { name: 'a', admin: 'yes' }, '/admin'],
      ['filter exists', { id: '0' }, '/id'],
      ['licence is', { licence: 'vald' }, '/licence'],
      ['filter exists', { id: 1, sharedWith: 'all' }, '/sharedWith'],
      ['space exists', ['ds'], ''],
    ] as const) {
      const added = add(state, params);
      const places = 'errors' in added ? added.errors.map(({ path }) => pointerOf(path)) : [];
      expect(places, `${state} ${JSON.stringify(params)}`).to.include(pointer);
    }
  });
});
