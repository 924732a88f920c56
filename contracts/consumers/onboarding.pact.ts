// What the onboarding client needs of the wiki extension, written to contracts/pacts/wiki-onboarding-wiki-extension.json.
// The document promises neither status nor body, so each response is some success, and nothing is said of its body. The worlds and the requests
// are chosen so that no reading of a gap makes a refusal of it: an admin asks (wiki-auth), whoever is named exists (unknown-user, unknown-group,
// unknown-page, unknown-space), something changes (no-change), every field is there and no other (missing-field, unknown-field), and who
// becomes the admin of a space is an admin (admin-eligibility).
import { HTTPResponseStatusClass, Matchers } from '@pact-foundation/pact';
import { contract, type State } from './interaction.js';
import { Onboarding } from './onboarding-client.js';

const play = contract('wiki-onboarding', 'wiki-extension');
const done = Matchers.matchStatus(200, HTTPResponseStatusClass.Success);

const as = { user: 'admin', password: 'admin' };
const admin: State = ['user exists', { name: 'admin', password: 'admin', admin: true }];
const alice: State = ['user exists', { name: 'alice' }];
const carol: State = ['user exists', { name: 'carol' }];
const space: State = ['space exists', { key: 'APOLLO', name: 'Apollo' }];
const page: State = ['page exists', { id: '4711', space: 'APOLLO', title: 'Plans', body: '<p>To the moon.</p>' }];
const team = (...members: string[]): State => ['group exists', { name: 'apollo-team', members }];

const below = '/rest/cwxapiextension/latest';
const json = (method: string, path: string, body: object) => ({ method, path: `${below}${path}`, body });
const withQuery = (path: string, query: Readonly<Record<string, string>>) => ({
  method: 'POST',
  path: `${below}${path}`,
  query,
});

describe('the onboarding client makes a space', () => {
  const template: State = ['space exists', { key: 'TEMPLATE', name: 'Template for teams' }];

  it('from a template, with its authors and dates', () =>
    play(
      {
        receiving: 'a copy of a template for an admin who is named',
        given: [admin, ['user exists', { name: 'alice', admin: true }], template],
        as,
        asked: withQuery('/spaces/copySpace', {
          sourceSpaceKey: 'TEMPLATE',
          targetSpaceKey: 'APOLLO',
          targetSpaceTitle: 'Apollo & others',
          targetSpaceAdmin: 'alice',
          removeAdminPermissions: 'false',
          keepPagesMetadata: 'true',
        }),
        status: done,
      },
      async client => {
        const made = { key: 'APOLLO', title: 'Apollo & others', admin: 'alice', keepHistory: true };
        await new Onboarding(client).makeSpace('TEMPLATE', made);
      },
    ));

  it('whose admin the wiki picks and takes off again', () =>
    play(
      {
        receiving: 'a copy of a template for a default admin without permissions',
        given: [admin, template],
        as,
        asked: withQuery('/spaces/copySpace', {
          sourceSpaceKey: 'TEMPLATE',
          targetSpaceKey: 'APOLLO',
          targetSpaceTitle: 'Apollo',
          targetSpaceAdmin: '',
          removeAdminPermissions: 'true',
          keepPagesMetadata: 'false',
        }),
        status: done,
      },
      async client => {
        await new Onboarding(client).makeSpace('TEMPLATE', { key: 'APOLLO', title: 'Apollo', withoutAdmin: true });
      },
    ));

  // Of a space that is taken the response may be a 409 (is-unique-answer=status), and of one that is free a 404 (is-unique-answer=found).
  it('after it has looked up its key and its name', () =>
    play(
      {
        receiving: 'a question after a key and a name that nobody has',
        given: [admin],
        as,
        asked: withQuery('/spaces/isUnique', { spaceKey: 'APOLLO', spaceName: 'Apollo' }),
        status: Matchers.matchStatus(200, [200, 404]),
      },
      async client => {
        await new Onboarding(client).lookUp('APOLLO', 'Apollo');
      },
    ));

  it('with a link in its sidebar', () =>
    play(
      {
        receiving: 'a link for the sidebar, with a label of its own',
        given: [admin, space],
        as,
        asked: json('POST', '/spaces/add-sidebar-link', {
          spaceKey: 'APOLLO',
          label: 'Handbook',
          url: 'https://example.com/handbook?for=all',
        }),
        status: done,
      },
      async client => {
        await new Onboarding(client).link('APOLLO', 'Handbook', 'https://example.com/handbook?for=all');
      },
    ));

  // Each text is there once, so that replace-scope, replace-order and replace-not-found decide nothing.
  it('with its own words on a page', () =>
    play(
      {
        receiving: 'two texts to replace, one in the body and one in the title',
        given: [admin, space, page],
        as,
        asked: {
          ...withQuery('/spaces/replaceInPage', { spaceKey: 'APOLLO', pageTitle: 'Plans' }),
          body: [
            { oldText: 'moon', newText: 'stars' },
            { oldText: 'Plans', newText: 'Our plans' },
          ],
        },
        status: done,
      },
      async client => {
        await new Onboarding(client).fillIn('APOLLO', 'Plans', { moon: 'stars', Plans: 'Our plans' });
      },
    ));
});

describe('the onboarding client keeps the members of a group', () => {
  it('when people join', () =>
    play(
      {
        receiving: 'two users for a group that has neither',
        given: [admin, alice, carol, team()],
        as,
        asked: json('POST', '/groups/add-users', { group: 'apollo-team', users: ['alice', 'carol'] }),
        status: done,
      },
      async client => {
        await new Onboarding(client).join('apollo-team', ['alice', 'carol']);
      },
    ));

  it('when somebody leaves', () =>
    play(
      {
        receiving: 'a member to be taken out of a group',
        given: [admin, alice, carol, team('alice', 'carol')],
        as,
        asked: json('POST', '/groups/remove-users', { group: 'apollo-team', users: ['carol'] }),
        status: done,
      },
      async client => {
        await new Onboarding(client).leave('apollo-team', ['carol']);
      },
    ));

  it('when the whole team is another', () =>
    play(
      {
        receiving: 'other users for a group than it has',
        given: [admin, alice, carol, team('alice')],
        as,
        asked: json('POST', '/groups/set-users', { group: 'apollo-team', users: ['carol'] }),
        status: done,
      },
      async client => {
        await new Onboarding(client).staff('apollo-team', ['carol']);
      },
    ));
});

describe('the onboarding client says who may see and edit a page', () => {
  // The scenario has a page 65601 that Alice alone may edit, and that she and the team may view.
  const restricted: State = ['restricted-page'];
  const given = [admin, alice, team('carol'), space, page];
  const names = { groups: ['apollo-team'], users: ['alice'] };

  it('when people may edit it', () =>
    play(
      {
        receiving: 'a user and a group for the edit permission of a page that is open to all',
        given,
        as,
        asked: json('PUT', '/permissions/edit/4711', names),
        status: done,
      },
      async client => {
        await new Onboarding(client).letEdit('4711', names);
      },
    ));

  it('when people may view it', () =>
    play(
      {
        receiving: 'a user and a group for the view permission of a page that is open to all',
        given,
        as,
        asked: json('PUT', '/permissions/view/4711', names),
        status: done,
      },
      async client => {
        await new Onboarding(client).letView('4711', names);
      },
    ));

  it('when somebody may no longer edit it', () =>
    play(
      {
        receiving: 'a user to be taken off the edit permission of a page',
        given: [restricted, admin],
        as,
        asked: json('DELETE', '/permissions/edit/65601', { groups: [], users: ['alice'] }),
        status: done,
      },
      async client => {
        await new Onboarding(client).letEditNoMore('65601', { groups: [], users: ['alice'] });
      },
    ));

  it('when a group may no longer view it', () =>
    play(
      {
        receiving: 'a group to be taken off the view permission of a page',
        given: [restricted, admin],
        as,
        asked: json('DELETE', '/permissions/view/65601', { groups: ['team-members'], users: [] }),
        status: done,
      },
      async client => {
        await new Onboarding(client).letViewNoMore('65601', { groups: ['team-members'], users: [] });
      },
    ));

  it('when somebody is shut out', () =>
    play(
      {
        receiving: 'a user and a group to be taken off all permissions of a page',
        given: [restricted, admin],
        as,
        asked: json('DELETE', '/permissions/all/65601', { groups: ['team-members'], users: ['alice'] }),
        status: done,
      },
      async client => {
        await new Onboarding(client).shutOut('65601', { groups: ['team-members'], users: ['alice'] });
      },
    ));
});
