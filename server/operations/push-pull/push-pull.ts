// Push and pull of favourite filters and dashboards: the document's section 4.5.
import { isObject } from '../../domain/form/patch.js';
import type { World } from '../../domain/world/world.js';
import { ppfAccess } from '../access.js';
import type { StatementText } from '../document/statement.js';
import type { ReplySpec } from '../endpoint.js';
import { MANY, operation, type Unchecked } from '../operation.js';
import { anyOfFields, array, boolean, integer, object, partialObject, type Schema, string, titled } from '../schema.js';
import type { FavouriteEffect } from './affected-users.js';
import { type PushPullBody, transfer } from './transfer.js';

const constraints = [
  anyOfFields(['users', 'groups'], 'ppf.needs-recipient', 'At least one of users and groups.', 'PushPullRecipients'),
  anyOfFields(['filters', 'dashboards'], 'ppf.needs-item', 'At least one of filters and dashboards.', 'PushPullItems'),
];
const schema: Schema<PushPullBody> = titled(
  'PushPullBody',
  partialObject(
    {
      users: array(string('A user name.'), 'Users, by name.'),
      groups: array(string('A group name.'), 'Groups, by name; each stands for its members.'),
      filters: array(integer('The id of a filter.'), 'Filters, by id.'),
      dashboards: array(integer('The id of a dashboard.'), 'Dashboards, by id.'),
    },
    'ppf.body-types',
    'Who gets or loses what.',
    constraints,
  ),
);

const replies = [
  {
    status: 200,
    when: 'The request was processed; what could not be done is in messages.',
    body: titled(
      'PushPullResponse',
      object(
        {
          success: boolean('Whether all was done.', 'ppf.success-flag'),
          messages: array(string('What went wrong.'), 'One for each thing that went wrong.', 'ppf.failure-message'),
        },
        'ppf.processed-is-200',
        'How it went.',
      ),
    ),
  },
] as const satisfies readonly ReplySpec[];

const rules = {
  ...ppfAccess.rules,
  'ppf.body-types': {
    says: 'users and groups are lists of strings; filters and dashboards are lists of whole numbers.',
    source: '2, Push/pull body',
  },
  'ppf.needs-recipient': { says: 'At least one of users and groups is required.', source: '4.5, rule 1' },
  'ppf.needs-item': { says: 'At least one of filters and dashboards is required.', source: '4.5, rule 2' },
  'ppf.invalid-is-400': {
    says: 'A request without recipients or without items gets 400.',
    source: '4.5, rule 3; 7, first row',
  },
  'ppf.processed-is-200': {
    says: 'A processed request gets 200, with the fields success and messages.',
    source: '4.5, rule 4; 7, third row',
  },
  'ppf.success-flag': {
    says: 'success is true if everything was done without errors, and otherwise false.',
    source: '4.5, rule 5',
  },
  'ppf.failure-message': {
    says: 'messages says what went wrong, such as a user that could not be found.',
    source: '4.5, rule 5',
  },
};

const shared = {
  family: 'ppf',
  method: 'POST',
  body: {
    schema,
    unknownFields: 'ppf-unknown-field',
    emptyLists: {
      gap: 'ppf-empty-arrays',
      absent: 'absent',
      groups: [
        ['users', 'groups'],
        ['filters', 'dashboards'],
      ],
    },
  },
  access: ppfAccess,
  refusals: ['ppf-unknown-item', 'too-much-at-once'],
  gaps: [
    'name-case',
    'ppf-effect',
    'ppf-unknown-item',
    'ppf-partial',
    'ppf-invisible-item',
    'ppf-no-change',
    'ppf-message-text',
  ],
  replies,
  isHeavy: (world: World, { body }: Unchecked) => {
    if (!isObject(body)) return false;
    const list = (name: string): readonly unknown[] => (Array.isArray(body[name]) ? body[name] : []);
    const members = list('groups').map(group => world.groups.get(String(group))?.size ?? 0);
    const users = members.reduce((sum, size) => sum + size, list('users').length);
    return users * Math.max(1, list('filters').length + list('dashboards').length) > MANY;
  },
} as const;

const adding: FavouriteEffect = {
  fact: 'favourite-added',
  done: (favourites, { kind, id }) => (favourites[kind].has(id) ? 'is a favourite already of' : undefined),
  mustSee: true,
};
const takingAny: FavouriteEffect = {
  fact: 'favourite-removed',
  done: (favourites, { kind, id }) => (favourites[kind].has(id) ? undefined : 'is no favourite of'),
  mustSee: false,
};
const takingAway: FavouriteEffect = {
  ...takingAny,
  pushedOnly: {
    ...takingAny,
    done: (favourites, item) =>
      takingAny.done(favourites, item) ??
      (favourites.pushed?.[item.kind].has(item.id) === true ? undefined : 'was not pushed to'),
  },
};

/** Section 4.5 of the document. */
export const pushPullStatements: readonly StatementText[] = [
  [
    'A push is a POST request to /rest/cwx-ppf/latest/push below the base URL.',
    { rules: ['address.ppf-path', 'ppf.push'], gaps: ['ppf-context-path'] },
  ],
  [
    'A pull is one to /rest/cwx-ppf/latest/pull.',
    { rules: ['address.ppf-path', 'ppf.pull'], gaps: ['trailing-slash'] },
  ],
  ['Both take the body of a push or a pull, as JSON.', { rules: ['ppf.body-types', 'address.json-bodies'] }],
  [
    'Users or groups are required, at least one of the two.',
    { rules: ['ppf.needs-recipient'], gaps: ['ppf-empty-arrays'] },
  ],
  [
    'Filters or dashboards are required, at least one of the two.',
    { rules: ['ppf.needs-item'], gaps: ['ppf-empty-arrays'] },
  ],
  ['A request without them gets the status 400.', { rules: ['ppf.invalid-is-400'] }],
  [
    'A request that is processed gets the status 200, with `success` and `messages`.',
    { rules: ['ppf.processed-is-200'] },
  ],
  [
    '`success` is true if everything was processed without errors, and false otherwise.',
    { rules: ['ppf.success-flag'], gaps: ['ppf-partial', 'ppf-no-change', 'ppf-invisible-item'] },
  ],
  [
    'Where it is false, `messages` says more, for instance that a user could not be found.',
    { rules: ['ppf.failure-message'], gaps: ['ppf-unknown-item', 'ppf-message-text'] },
  ],
  ['A response of status 200 may have `success` false.', { rules: ['ppf.success-flag', 'ppf.processed-is-200'] }],
  [
    'The responses of the extension operations are not shown.',
    { gaps: ['wiki-success', 'copy-success', 'is-unique-answer'] },
  ],
  [
    'Which of their parameters and fields are optional is not shown.',
    { gaps: ['missing-field', 'missing-list', 'missing-parameter'] },
  ],
];

export const push = operation({
  ...shared,
  id: 'ppf.push',
  summary: 'Push filters and dashboards to users and groups',
  path: '/push',
  rules: {
    ...rules,
    'ppf.push': {
      says: 'The filters and dashboards are pushed to the users and to the members of the groups.',
      source: '1, second point; 4.5, first row',
      effect: true,
    },
  },
  examples: [
    {
      title: 'the vendor’s own request',
      as: 'admin',
      body: { users: ['alice'], filters: [10500] },
      response: { status: 200, body: { success: true, messages: [] } },
    },
    {
      title: 'a user that does not exist',
      as: 'admin',
      body: { users: ['alice', 'bob'], filters: [10500] },
      response: { status: 200, body: { success: false, messages: ['Could not find user with name bob'] } },
    },
  ],
  decide(given) {
    given.applies('ppf.push');
    return transfer(given, adding);
  },
});

export const pull = operation({
  ...shared,
  id: 'ppf.pull',
  summary: 'Pull filters and dashboards from users and groups',
  path: '/pull',
  rules: {
    ...rules,
    'ppf.pull': {
      says: 'The filters and dashboards are pulled from the users and from the members of the groups.',
      source: '1, second point; 4.5, second row',
      effect: true,
    },
  },
  examples: [
    {
      title: 'a group loses a filter',
      as: 'admin',
      body: { groups: ['jira-core-users'], filters: [10600] },
      response: { status: 200, body: { success: true, messages: [] } },
    },
  ],
  decide(given) {
    given.applies('ppf.pull');
    return transfer(given, takingAway);
  },
});
