// One request for each operation that changes something on the small team: what tests of all operations start from. It is the operation's first example,
// unless tests need another.
import { catalog, type OperationId, operationOf, operations } from '../../../server/operations/catalog/catalog.js';
import type { GapId } from '../../../server/operations/gaps/gaps.js';
import type { Operation } from '../../../server/operations/operation.js';
import type { Question } from './ask.js';

const params = { pageId: '65601' };
const names = { groups: ['team-members'], users: ['alice'] };

const others: { readonly [Id in OperationId]?: Question } = {
  'groups.add-users': { json: { group: 'customers', users: ['alice'] } },
  'groups.remove-users': { json: { group: 'team-members', users: ['demouser1'] } },
  'groups.set-users': { json: { group: 'team-members', users: ['alice'] } },
  'permissions.edit-add': { params, json: names },
  'permissions.edit-remove': { params, json: names },
  'permissions.view-add': { params, json: names },
  'permissions.view-remove': { params, json: names },
  'permissions.all-remove': { params, json: names },
  'spaces.add-sidebar-link': { json: { spaceKey: 'ds', label: 'News', url: '/news' } },
  'spaces.copy': {
    query: {
      sourceSpaceKey: 'tmpl',
      targetSpaceKey: 'APOLLO',
      targetSpaceTitle: 'Apollo',
      targetSpaceAdmin: 'alice',
      removeAdminPermissions: 'false',
      keepPagesMetadata: 'true',
    },
  },
  'spaces.is-unique': { query: { spaceKey: 'APOLLO', spaceName: 'Apollo' } },
  'spaces.replace-in-page': {
    query: { spaceKey: 'ds', pageTitle: 'Welcome' },
    json: [{ oldText: 'Hello', newText: 'Bye' }],
  },
  'ppf.push': { json: { users: ['alice'], filters: [10500] } },
  'ppf.pull': { json: { users: ['carol'], filters: [10600] } },
};

function firstExample({ examples: [example] }: Operation): Question {
  const { params, query, body } = example ?? {};
  return { ...(params && { params }), ...(query && { query }), ...(body !== undefined && { json: body }) };
}

export const validQuestions = Object.fromEntries(
  operations.map(operation => [operation.id, others[operation.id as OperationId] ?? firstExample(operation)]),
) as { readonly [Id in OperationId]: Question }; // one for each of the catalog

export const operationIds = catalog.map(({ id }) => id);
export const withBody = operationIds.filter(id => validQuestions[id].json !== undefined);
/** The operations that a gap can decide, by themselves or by their access. */
export const idsWith = (gap: GapId): OperationId[] =>
  operationIds.filter(id => {
    const { gaps = [], access } = operationOf(id) ?? {};
    return [...gaps, ...(access?.gaps ?? [])].includes(gap);
  });
export const ppfIds = ['ppf.push', 'ppf.pull'] as const;
