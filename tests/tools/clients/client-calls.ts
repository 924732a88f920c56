// Each operation as a client library asks for it through its own `sendRequest`, with what comes of each.
import { expect } from 'chai';
import type { WorldForm } from '../../../server/domain/form/form-shapes.js';
import type { OperationId } from '../../../server/operations/catalog/catalog.js';

export interface ClientRequest {
  readonly url: string;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly data?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
}

interface ClientCall {
  readonly operation: OperationId;
  readonly request: ClientRequest;
  /** What the client hands on. */
  readonly reply: unknown;
  /** What the world then holds, in a sandbox that has `restrictedPage` laid over the small team. */
  afterwards(world: WorldForm): void;
}

const wiki = '/rest/cwxapiextension/latest';
const ppf = '/rest/cwx-ppf/latest';
const names = { groups: ['team-members'], users: ['alice'] };

/** A patch: a page that is restricted for viewing and editing, so that something can be taken away. */
export const restrictedPage = {
  pages: {
    '65701': {
      edit: { users: ['alice', 'carol'], groups: ['team-members'] },
      view: { users: ['alice', 'carol'], groups: ['team-members'] },
    },
  },
};

const members = (group: string, users: readonly string[]) => (world: WorldForm) =>
  expect(world.groups[group]).to.deep.equal(users);
const page = (id: string, part: object) => (world: WorldForm) => expect(world.pages[id]).to.deep.include(part);

export const clientCalls: readonly ClientCall[] = [
  {
    operation: 'groups.add-users',
    request: {
      url: `${wiki}/groups/add-users`,
      method: 'POST',
      data: { group: 'team-members', users: ['demouser1', 'demouser2'] },
    },
    reply: {},
    afterwards: members('team-members', ['demouser1', 'demouser2']),
  },
  {
    operation: 'groups.remove-users',
    request: {
      url: `${wiki}/groups/remove-users`,
      method: 'POST',
      data: { group: 'jira-core-users', users: ['carol'] },
    },
    reply: {},
    afterwards: members('jira-core-users', ['alice']),
  },
  {
    operation: 'groups.set-users',
    request: {
      url: `${wiki}/groups/set-users`,
      method: 'POST',
      data: { group: 'team-members', users: ['carol', 'alice'] },
    },
    reply: {},
    afterwards: members('team-members', ['alice', 'carol']),
  },
  {
    operation: 'permissions.edit-add',
    request: { url: `${wiki}/permissions/edit/65601`, method: 'PUT', data: names },
    reply: {},
    afterwards: page('65601', {
      edit: { users: ['alice'], groups: ['team-members'] },
      view: { users: [], groups: [] },
    }),
  },
  {
    operation: 'permissions.edit-remove',
    request: { url: `${wiki}/permissions/edit/65701`, method: 'DELETE', data: names },
    reply: {},
    afterwards: page('65701', { edit: { users: ['carol'], groups: [] }, view: restrictedPage.pages['65701'].view }),
  },
  {
    operation: 'permissions.view-add',
    request: { url: `${wiki}/permissions/view/65601`, method: 'PUT', data: names },
    reply: {},
    afterwards: page('65601', {
      view: { users: ['alice'], groups: ['team-members'] },
      edit: { users: [], groups: [] },
    }),
  },
  {
    operation: 'permissions.view-remove',
    request: { url: `${wiki}/permissions/view/65701`, method: 'DELETE', data: names },
    reply: {},
    afterwards: page('65701', { view: { users: ['carol'], groups: [] }, edit: restrictedPage.pages['65701'].edit }),
  },
  {
    operation: 'permissions.all-remove',
    request: { url: `${wiki}/permissions/all/65701`, method: 'DELETE', data: names },
    reply: {},
    afterwards: page('65701', { view: { users: ['carol'], groups: [] }, edit: { users: ['carol'], groups: [] } }),
  },
  {
    operation: 'spaces.add-sidebar-link',
    request: {
      url: `${wiki}/spaces/add-sidebar-link`,
      method: 'POST',
      data: { spaceKey: 'ds', label: 'News & more', url: 'https://example.com/news?a=1' },
    },
    reply: {},
    afterwards: world =>
      expect(world.spaces.ds?.sidebar).to.deep.equal([{ label: 'News & more', url: 'https://example.com/news?a=1' }]),
  },
  {
    operation: 'spaces.copy',
    request: {
      url: `${wiki}/spaces/copySpace`,
      method: 'POST',
      params: {
        sourceSpaceKey: 'tmpl',
        targetSpaceKey: 'APOLLO',
        targetSpaceTitle: 'Apollo: eleven, [and] more',
        targetSpaceAdmin: 'alice',
        removeAdminPermissions: 'False',
        keepPagesMetadata: 'True',
      },
    },
    reply: {},
    afterwards: world => {
      expect(world.spaces.APOLLO).to.deep.include({ name: 'Apollo: eleven, [and] more', admins: ['admin', 'alice'] });
      const copied = Object.values(world.pages).filter(({ space }) => space === 'APOLLO');
      expect(copied.map(({ title, author, created }) => ({ title, author, created }))).to.deep.equal([
        { title: 'Template Home', author: 'carol', created: '2025-02-03T04:05:06Z' },
      ]);
    },
  },
  {
    operation: 'spaces.is-unique',
    request: {
      url: `${wiki}/spaces/isUnique`,
      method: 'POST',
      params: { spaceKey: 'APOLLO', spaceName: 'Template Space' },
    },
    reply: false,
    afterwards: world => expect(Object.keys(world.spaces)).to.deep.equal(['ds', 'tmpl']),
  },
  {
    operation: 'spaces.replace-in-page',
    request: {
      url: `${wiki}/spaces/replaceInPage`,
      method: 'POST',
      params: { spaceKey: 'tmpl', pageTitle: 'Template Home' },
      data: [
        { oldText: 'NAME', newText: 'Apollo' },
        { oldText: 'Template', newText: 'Our' },
      ],
    },
    reply: {},
    afterwards: page('65701', { title: 'Our Home', body: '<p>Project Apollo starts here. Apollo!</p>' }),
  },
  {
    operation: 'ppf.push',
    request: {
      url: `${ppf}/push`,
      method: 'POST',
      data: { users: ['alice', 'bob'], groups: ['jira-core-users'], filters: [10500], dashboards: [11000] },
    },
    reply: { success: false, messages: ['Could not find user with name bob'] },
    afterwards: world =>
      expect(world.favourites).to.deep.include({
        alice: { filters: [10500], dashboards: [11000] },
        carol: { filters: [10500, 10600], dashboards: [11000] },
        demouser1: { filters: [], dashboards: [] },
      }),
  },
  {
    operation: 'ppf.pull',
    request: { url: `${ppf}/pull`, method: 'POST', data: { users: ['carol'], filters: [10600] } },
    reply: { success: true, messages: [] },
    afterwards: world => expect(world.favourites.carol).to.deep.equal({ filters: [], dashboards: [] }),
  },
];
