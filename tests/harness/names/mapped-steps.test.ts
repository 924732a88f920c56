// The fixture and steps in the names of another server: by field, in calls and in raw requests; and the reason if a step cannot be sent there.
import { expect } from 'chai';
import { mapped } from '../../../harness/names/mapped-steps.js';
import { NamesThere, renamedWorld } from '../../../harness/names/name-map.js';
import { formOf } from '../../../server/domain/form/form.js';
import { danglingIn } from '../../../server/domain/form/integrity.js';
import type { Step } from '../../../server/scenario/format/step-format.js';
import type { NameMap } from '../../../server/scenario/load/map-file.js';
import type { Account } from '../../../server/settings/flag-checks.js';
import { smallTeam } from '../../support/other-servers/outside.js';

const story = smallTeam();
const { world } = story.origin;

const map: NameMap = {
  users: new Map([['alice', 'jdoe']]),
  groups: new Map([['customers', 'qa-sandbox']]),
  spaces: new Map([['tmpl', { key: 'TPL', name: 'Templates' }]]),
  pages: new Map([['65701', { id: 'a/1', title: 'Project Home' }]]),
  filters: new Map([[10500, 20017]]),
  dashboards: new Map(),
};

function renamed(step: Omit<Step, 'say'>, accounts: readonly Account[] = [], own: NameMap | 'none' = map) {
  const names = new NamesThere(world, own === 'none' ? undefined : own, accounts);
  const { loaded: there, reasons } = mapped({ ...story, steps: [{ say: '', ...step }] }, names);
  return { step: there.steps[0], reason: reasons.get(0) };
}

describe('a step in the names of another server', () => {
  it('has each name mapped by its field', () => {
    const { step, reason } = renamed({
      as: 'alice',
      call: 'spaces.replace-in-page',
      path: { pageId: 65701 },
      query: {
        spaceKey: 'tmpl',
        targetSpaceKey: 'NEW',
        pageTitle: 'Template Home',
        targetSpaceAdmin: 'alice',
        other: 'alice',
      },
      body: {
        group: 'customers',
        groups: ['customers', 'unheard'],
        users: ['alice', 'nobody'],
        filters: [10500, 1],
        list: [{ oldText: 'Template Home', newText: 'alice' }],
      },
    });
    expect({ step, reason }).to.deep.equal({
      reason: undefined,
      step: {
        say: '',
        as: 'jdoe',
        call: 'spaces.replace-in-page',
        path: { pageId: 'a/1' },
        query: {
          spaceKey: 'TPL',
          targetSpaceKey: 'NEW',
          pageTitle: 'Project Home',
          targetSpaceAdmin: 'jdoe',
          other: 'alice',
        },
        body: {
          group: 'qa-sandbox',
          groups: ['qa-sandbox', 'unheard'],
          users: ['jdoe', 'nobody'],
          filters: [20017, 1],
          list: [{ oldText: 'Project Home', newText: 'alice' }],
        },
      },
    });
  });

  it('maps a name in another case, and keeps that case', () => {
    expect(
      renamed({ call: 'groups.add-users', body: { group: 'Customers', users: ['ALICE'] } }).step?.body,
    ).to.deep.equal({ group: 'Qa-sandbox', users: ['Jdoe'] });
  });

  it('maps names in raw requests: path, query and body, and leaves the rest as written', () => {
    const request = (path: string, body?: string) =>
      renamed({ request: { method: 'POST', path, ...(body !== undefined && { body }) } }).step?.request;
    expect(request('/rest/cwxapiextension/latest/permissions/edit/65701')?.path).to.equal(
      '/rest/cwxapiextension/latest/permissions/edit/a%2F1',
    );
    expect(request('/x?spaceKey=tmpl&spaceName=Template+Space&a=tmpl&pageTitle=%zz')?.path).to.equal(
      '/x?spaceKey=TPL&spaceName=Templates&a=tmpl&pageTitle=%zz',
    );
    expect(request('/x', '{ "group" : "customers" }')?.body).to.equal('{"group":"qa-sandbox"}');
    expect(request('/x', ' { "group" : "unheard" } ')?.body).to.equal(' { "group" : "unheard" } ');
    expect(request('/x', '{"group":"customers","users":["alice",]')?.body).to.equal(
      '{"group":"qa-sandbox","users":["jdoe",]',
    );
  });

  it('cannot be sent if the map lacks a name of the fixture', () => {
    for (const [lacking, step] of [
      ['group "team-members"', { call: 'groups.add-users', body: { group: 'team-members', users: [] } }],
      ['user "carol"', { as: 'carol', call: 'ppf.push', body: {} }],
      ['dashboard "11000"', { call: 'ppf.push', body: { dashboards: [11000] } }],
    ] as const)
      expect(renamed(step).reason).to.equal(`the map has no ${lacking}`);
  });

  describe('and its caller', () => {
    const boss = { user: 'boss', password: 'secret' };

    const reasonOf = (as: NonNullable<Step['as']>, accounts: readonly Account[] = [boss], own?: NameMap | 'none') =>
      renamed({ as, call: 'ppf.push' }, accounts, own).reason;

    it('is the first given user for the admin, unless the map has another', () => {
      const { step, reason } = renamed({ as: 'admin', call: 'ppf.push' }, [boss]);
      expect({ as: step?.as, reason }).to.deep.equal({ as: 'boss', reason: undefined });
      const withAdmin = { ...map, users: new Map([['admin', 'root']]) };
      expect(reasonOf('admin', [boss], withAdmin)).to.include('root (mapped from admin): give --as root:password');
    });

    it('needs a known password once one is given', () => {
      expect(reasonOf('alice')).to.include('jdoe (mapped from alice): give --as jdoe:password');
      expect(reasonOf('alice', [boss, { user: 'jdoe', password: 'x' }])).to.equal(undefined);
      expect(reasonOf('anonymous')).to.equal(undefined);
      expect(reasonOf({ token: 'admin-token' })).to.include('no token is known for admin');
      expect(reasonOf({ token: 'wrong' })).to.equal(undefined);
    });

    it('has the wrong password that the step gives, and not the right one', () => {
      const wrong = { user: 'carol', password: 'wrong' };
      expect(renamed({ as: wrong, call: 'ppf.push' }, [boss], 'none').step?.as).to.deep.equal(wrong);
      const right = { user: 'admin', password: 'admin' };
      expect(renamed({ as: right, call: 'ppf.push' }, [boss], 'none').step?.as).to.equal('boss');
    });
  });

  it('cannot be sent if it needs another world', () => {
    const other = { ...world, users: world.users.remove('demouser2'), groups: world.groups.remove('customers') };
    const { reasons } = mapped(
      { ...story, origin: { ...story.origin, world: other }, steps: [{ say: '', call: 'ppf.push' }] },
      new NamesThere(world),
    );
    expect(reasons.get(0)).to.equal(
      'it requires a world with users {"demouser2":null}, which no documented operation can create',
    );
  });
});

describe('the fixture in other names', () => {
  it('has them everywhere', () => {
    const names = new NamesThere(
      world,
      {
        users: new Map([['carol', 'ann']]),
        groups: new Map([['jira-core-users', 'trackers']]),
        spaces: new Map([['tmpl', { key: 'TPL', name: 'Templates' }]]),
        pages: new Map([['65701', { id: '7', title: 'Home' }]]),
        filters: new Map([[10600, 2]]),
        dashboards: new Map([[11100, 3]]),
      },
      [{ user: 'boss', password: 'secret' }],
    );
    const renamed = renamedWorld(world, names);
    const form = formOf(renamed);
    expect([...[...danglingIn(form, renamed)]]).to.deep.equal([]);
    expect(form.users).to.include.keys('boss', 'ann', 'alice').and.not.include.keys('admin', 'carol');
    expect(form.users.boss).to.deep.include({ password: 'secret', admin: true });
    expect(form.groups.trackers).to.deep.equal(['alice', 'ann']);
    expect(form.spaces.TPL).to.deep.include({ name: 'Templates', admins: ['boss'] });
    expect(form.pages['7']).to.deep.include({ space: 'TPL', title: 'Home', author: 'ann' });
    expect(form.filters['2']).to.deep.include({ owner: 'ann', sharedWith: { users: [], groups: ['trackers'] } });
    expect(form.dashboards['3']).to.deep.include({ owner: 'ann' });
    expect(form.favourites.ann).to.deep.equal({ filters: [2], dashboards: [] });
  });
});
