// Statements of the document on itself, on bodies and on the wiki: sections 1 to 4.4.
import { type Section, section } from './statement.js';

const adds = ['groups.add-users', 'groups.remove-users', 'groups.set-users'];
const permits = [
  'permissions.edit-add',
  'permissions.edit-remove',
  'permissions.view-add',
  'permissions.view-remove',
  'permissions.all-remove',
];

export const wikiSections: readonly Section[] = [
  section('0', 'Before the first section', [
    'There are two interfaces over HTTP and JSON: an extension of a wiki, and an add-on of an issue tracker.',
    { unseen: 'The sections below say what that means.' },
  ]),
  section(
    '1',
    'What the service does',
    ['The extension changes who is a member of a group: it adds, removes and replaces members.', { rules: adds }],
    [
      'It changes the edit and view permissions of a page: it adds and removes users and groups.',
      { rules: permits, gaps: ['unknown-page'] },
    ],
    [
      'It adds a link to the sidebar of a space, copies a space, checks whether one exists, and replaces text in the body and the title of a page.',
      {
        rules: [
          'spaces.sidebar-link',
          'spaces.copy',
          'spaces.is-unique',
          'spaces.replace-body',
          'spaces.replace-title',
        ],
      },
    ],
    [
      'The add-on pushes filters or dashboards to users or groups, or pulls them from users or groups.',
      { rules: ['ppf.push', 'ppf.pull'] },
    ],
    [
      'It reports whether that succeeded, and a list of messages.',
      { rules: ['ppf.success-flag', 'ppf.failure-message'] },
    ],
    [
      'The difference in effect between a push and a pull is not shown.',
      { gaps: ['ppf-effect', 'ppf-invisible-item', 'ppf-no-change'] },
    ],
  ),
  section(
    '2',
    'Resources and their fields',
    [
      'The document describes request bodies field by field, but not the resources themselves.',
      { gaps: ['unknown-field', 'ppf-unknown-field', 'null-field'] },
    ],
    ['Every body is JSON, of the type application/json.', { rules: ['address.json-bodies'], gaps: ['content-type'] }],
    ['All names are case-sensitive.', { rules: ['address.case-sensitive'], gaps: ['name-case'] }],
    [
      'A group body has the name of a group and a list of user names, all strings.',
      { rules: ['groups.body'], gaps: ['field-type'] },
    ],
    [
      'A permission body has a list of group names and a list of user names, all strings.',
      { rules: ['permissions.body'], gaps: ['field-type'] },
    ],
    [
      'A sidebar link body has the key of a space, a label and a URL, all strings.',
      { rules: ['spaces.sidebar-link'], gaps: ['sidebar-link-form', 'field-type'] },
    ],
    [
      'A replace body is a list whose elements each have an old text and a new text.',
      { rules: ['spaces.replace-list'], gaps: ['field-type'] },
    ],
    [
      'A push or pull body has lists of user names and group names, all strings, and lists of filters and dashboards, all integers.',
      { rules: ['ppf.body-types'], gaps: ['field-type'] },
    ],
    [
      'The response to a push or a pull has `success`, true or false, and `messages`, a list of texts.',
      { rules: ['ppf.processed-is-200'] },
    ],
    ['A page is identified by a path segment, whose type is not stated.', { gaps: ['page-id-format', 'unknown-page'] }],
    ['Which fields the responses of the extension have is not shown.', { gaps: ['wiki-success'] }],
    ['`expand` takes a list of names, separated by commas.', { rules: ['expand.list'] }],
    ['A dot in one of these names leads into another entity.', { rules: ['expand.nested'] }],
    ['Which operations take `expand` is left open.', { gaps: ['expand-unknown'] }],
  ),
  section('3', 'States and transitions', [
    'States and transitions are not shown.',
    { unseen: 'No response names a state, and nothing that a request could show depends on one.' },
  ]),
  section(
    '4.1',
    'Address structure',
    [
      'With a context path, the REST API of the wiki stands below that: base URL, context path, /rest/api.',
      { rules: ['address.context-path'], gaps: ['context-path'] },
    ],
    ['Without one it stands below the base URL.', { rules: ['address.no-context-path'], gaps: ['context-path'] }],
    [
      'The base URL is a scheme, a host and a port.',
      { unseen: 'The client chooses all three before it sends a request.' },
    ],
    ['The paths of the extension begin with /cwxapiextension/latest/.', { rules: ['address.extension-path'] }],
    ['What comes before that is not shown.', { gaps: ['wiki-prefix'] }],
  ),
  section(
    '4.2',
    'Group actions',
    ['All three take a group body.', { rules: ['groups.body'] }],
    ['All three are POST requests.', { rules: adds, gaps: ['trailing-slash'] }],
    [
      'POST groups/add-users adds members to a group.',
      { rules: ['groups.add-users'], gaps: ['empty-lists', 'no-change', 'unknown-user', 'unknown-group'] },
    ],
    [
      'POST groups/remove-users removes members from it.',
      { rules: ['groups.remove-users'], gaps: ['empty-lists', 'no-change', 'unknown-user', 'unknown-group'] },
    ],
    [
      'POST groups/set-users sets its members.',
      { rules: ['groups.set-users'], gaps: ['set-users-empty', 'no-change', 'unknown-user', 'unknown-group'] },
    ],
  ),
  section(
    '4.3',
    'Page permission actions',
    [
      'All five name a page in the path and take a permission body.',
      {
        rules: ['permissions.body'],
        gaps: ['unknown-page', 'unknown-user', 'unknown-group', 'empty-lists', 'no-change'],
      },
    ],
    [
      'PUT on permissions/edit/{pageId} adds users and groups to the edit permission.',
      { rules: ['permissions.edit-add'] },
    ],
    [
      'To remove them, the same path has DELETE in its request line, but POST in its heading.',
      { rules: ['permissions.edit-remove', 'permissions.heading-method'], gaps: ['heading-methods'] },
    ],
    [
      'To add users and groups to the view permission, permissions/view/{pageId} has PUT in its request line, but POST in its heading.',
      { rules: ['permissions.view-add', 'permissions.heading-method'], gaps: ['view-post'] },
    ],
    [
      'To remove them, the same path has DELETE in its request line, but POST in its heading.',
      { rules: ['permissions.view-remove', 'permissions.heading-method'], gaps: ['view-post'] },
    ],
    [
      'To remove them from all permissions, permissions/all/{pageId} has DELETE in its request line, but POST in its heading.',
      {
        rules: ['permissions.all-remove', 'permissions.heading-method'],
        gaps: ['heading-methods', 'all-remove-empty'],
      },
    ],
    [
      'A server should accept the method of the request line: PUT to add, DELETE to remove.',
      { rules: [...permits, 'permissions.heading-method'] },
    ],
    [
      'It may accept the method of the heading as well.',
      { rules: ['permissions.heading-method'], gaps: ['heading-methods', 'view-post'] },
    ],
    [
      'The last operation calls its list of groups `group` in one place and `groups` in the example; the example takes precedence.',
      { rules: ['permissions.groups-field'], gaps: ['all-group-field'] },
    ],
  ),
  section(
    '4.4',
    'Space actions',
    [
      'POST spaces/add-sidebar-link takes a sidebar link body and adds a link with the given name to the sidebar of a space.',
      { rules: ['spaces.sidebar-link'], gaps: ['sidebar-duplicate', 'sidebar-link-form', 'unknown-space'] },
    ],
    [
      'POST spaces/copySpace makes a new space out of a template space.',
      {
        rules: ['spaces.copy'],
        gaps: ['copied-content', 'copy-success', 'unknown-space', 'target-space-exists', 'space-key-format'],
      },
    ],
    [
      'It takes query parameters only.',
      { rules: ['spaces.copy-query-only'], gaps: ['unknown-parameter', 'repeated-parameter'] },
    ],
    ['sourceSpaceKey names the space to copy.', { rules: ['spaces.copy'], gaps: ['unknown-space'] }],
    [
      'targetSpaceKey is the key of the new space.',
      { rules: ['spaces.copy'], gaps: ['target-space-exists', 'space-key-format'] },
    ],
    ['targetSpaceTitle is its title.', { rules: ['spaces.copy'], gaps: ['target-title-taken', 'space-title-form'] }],
    [
      'targetSpaceAdmin names its admin; where it is empty, a default admin is picked.',
      { rules: ['spaces.copy-default-admin'], gaps: ['default-space-admin', 'admin-eligibility', 'unknown-user'] },
    ],
    [
      'removeAdminPermissions says whether that admin is taken out of the permissions of the new space.',
      { rules: ['spaces.copy-remove-admin'], gaps: ['query-boolean'] },
    ],
    [
      'keepPagesMetadata says whether authors and dates of the template are kept.',
      { rules: ['spaces.copy-keep-metadata'], gaps: ['copied-metadata-when-not-kept', 'query-boolean'] },
    ],
    [
      'POST spaces/isUnique takes a key and a name as query parameters, and checks whether a space with the given key and name already exists.',
      { rules: ['spaces.is-unique'], gaps: ['is-unique-match', 'is-unique-answer'] },
    ],
    [
      'POST spaces/replaceInPage takes the key of a space and the title of a page as query parameters, and a list of texts as the body.',
      {
        rules: ['spaces.replace-list'],
        gaps: ['unknown-space', 'unknown-page', 'page-title-shared', 'old-text-empty', 'unknown-parameter'],
      },
    ],
    [
      'It replaces text in the body of the page.',
      {
        rules: ['spaces.replace-body'],
        gaps: ['replace-target', 'replace-scope', 'replace-order', 'replace-not-found', 'replace-permission'],
      },
    ],
    [
      'It replaces text in the title of the page.',
      {
        rules: ['spaces.replace-title'],
        gaps: ['replace-scope', 'replace-order', 'replace-title-clash', 'page-title-case', 'replaced-title'],
      },
    ],
  ),
];
