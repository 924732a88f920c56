// The tables of the vendor's document (sections 2 to 4), copied by hand: one row for each operation. Independent of the sources, which tests compare
// with it.
import type { OperationId } from '../../server/operations/catalog/catalog.js';

export interface DocumentedRow {
  readonly method: string;
  /** Below the address of its family. */
  readonly path: string;
  /** The method that only its heading names. */
  readonly heading?: string;
  /** The fields of each part of a request, and of the response; a list of one stands for an array. */
  readonly fields: Readonly<Partial<Record<'path' | 'query' | 'body' | 'reply', unknown>>>;
}

const texts = ['text'];
const numbers = ['integer'];
const membership = { body: { group: 'text', users: texts } };
const permission = { path: { pageId: 'text' }, body: { groups: texts, users: texts } };
const transfer = {
  body: { users: texts, groups: texts, filters: numbers, dashboards: numbers },
  reply: { success: 'boolean', messages: texts },
};

export const documented: { readonly [Id in OperationId]: DocumentedRow } = {
  'groups.add-users': { method: 'POST', path: '/groups/add-users', fields: membership },
  'groups.remove-users': { method: 'POST', path: '/groups/remove-users', fields: membership },
  'groups.set-users': { method: 'POST', path: '/groups/set-users', fields: membership },
  'permissions.edit-add': { method: 'PUT', path: '/permissions/edit/{pageId}', fields: permission },
  'permissions.edit-remove': {
    method: 'DELETE',
    path: '/permissions/edit/{pageId}',
    heading: 'POST',
    fields: permission,
  },
  'permissions.view-add': { method: 'PUT', path: '/permissions/view/{pageId}', fields: permission },
  'permissions.view-remove': { method: 'DELETE', path: '/permissions/view/{pageId}', fields: permission },
  'permissions.all-remove': {
    method: 'DELETE',
    path: '/permissions/all/{pageId}',
    heading: 'POST',
    fields: permission,
  },
  'spaces.add-sidebar-link': {
    method: 'POST',
    path: '/spaces/add-sidebar-link',
    fields: { body: { spaceKey: 'text', label: 'text', url: 'text' } },
  },
  'spaces.copy': {
    method: 'POST',
    path: '/spaces/copySpace',
    fields: {
      query: {
        sourceSpaceKey: 'text',
        targetSpaceKey: 'text',
        targetSpaceTitle: 'text',
        targetSpaceAdmin: 'text',
        removeAdminPermissions: 'boolean',
        keepPagesMetadata: 'boolean',
      },
    },
  },
  'spaces.is-unique': {
    method: 'POST',
    path: '/spaces/isUnique',
    fields: { query: { spaceKey: 'text', spaceName: 'text' } },
  },
  'spaces.replace-in-page': {
    method: 'POST',
    path: '/spaces/replaceInPage',
    fields: { query: { spaceKey: 'text', pageTitle: 'text' }, body: [{ oldText: 'text', newText: 'text' }] },
  },
  'ppf.push': { method: 'POST', path: '/push', fields: transfer },
  'ppf.pull': { method: 'POST', path: '/pull', fields: transfer },
};

export const documentedRows = Object.entries(documented) as ReadonlyArray<readonly [OperationId, DocumentedRow]>;
