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
      'It changes who may edit and who may view a page: it adds and removes users and groups.',
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
      'The add-on takes users or groups and filters or dashboards, and pushes or pulls these to or from those.',
      { rules: ['ppf.push', 'ppf.pull'] },
    ],
    [
      'It reports whether that succeeded, and a list of messages.',
      { rules: ['ppf.success-flag', 'ppf.failure-message'] },
    ],
    ['In what a push and a pull differ is not shown.', { gaps: ['ppf-effect', 'ppf-invisible-item', 'ppf-no-change'] }],
  ),
  section(
    '2',
    'Resources and their fields',
    [
      'What is described are the bodies of requests, field by field; records with fields are not.',
      { gaps: ['unknown-field', 'ppf-unknown-field', 'null-field'] },
    ],
    ['Every body is JSON, of the type application/json.', { rules: ['address.json-bodies'], gaps: ['content-type'] }],
    ['All names are case-sensitive.', { rules: ['address.case-sensitive'], gaps: ['name-case'] }],
    [
      'A body about a group has its name, a text, and a list of user names, all of them texts.',
      { rules: ['groups.body'], gaps: ['field-type'] },
    ],
    [
      'A body about permissions has a list of group names and a list of user names, all of them texts.',
      { rules: ['permissions.body'], gaps: ['field-type'] },
    ],
    [
      'A body about a sidebar link has the key of a space, a label and a target, each a text.',
      { rules: ['spaces.sidebar-link'], gaps: ['sidebar-link-form', 'field-type'] },
    ],
    [
      'A body about text is a list, of which each element has an old and a new text.',
      { rules: ['spaces.replace-list'], gaps: ['field-type'] },
    ],
    [
      'A body of a push or a pull has lists of user names and of group names, which are texts, and of filters and dashboards, which are whole numbers.',
      { rules: ['ppf.body-types'], gaps: ['field-type'] },
    ],
    [
      'The answer to a push or a pull has `success`, true or false, and `messages`, a list of texts.',
      { rules: ['ppf.processed-is-200'] },
    ],
    [
      'A page is named by a segment of the path; of which type that is, is not stated.',
      { gaps: ['page-id-format', 'unknown-page'] },
    ],
    ['Which fields the answers of the extension have is not shown.', { gaps: ['wiki-success'] }],
    ['`expand` takes a list of names, separated by commas.', { rules: ['expand.list'] }],
    ['A dot in one of these names leads into another entity.', { rules: ['expand.nested'] }],
    ['Which operations take `expand` is left open.', { gaps: ['expand-unknown'] }],
  ),
  section('3', 'States and transitions', [
    'States and transitions are not shown.',
    { unseen: 'No answer names a state, and nothing that a request could show depends on one.' },
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
      { unseen: 'Whoever sends a request has chosen all three before.' },
    ],
    ['The paths of the extension begin with /cwxapiextension/latest/.', { rules: ['address.extension-path'] }],
    ['What comes before that is not shown.', { gaps: ['wiki-prefix'] }],
  ),
  section(
    '4.2',
    'Group actions',
    ['All three take the body about a group.', { rules: ['groups.body'] }],
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
      'All five name a page in the path and take the body about permissions.',
      {
        rules: ['permissions.body'],
        gaps: ['unknown-page', 'unknown-user', 'unknown-group', 'empty-lists', 'no-change'],
      },
    ],
    [
      'On permissions/edit/{pageId} PUT adds users and groups to the edit permission.',
      { rules: ['permissions.edit-add'] },
    ],
    [
      'On the same path the request line of removing them has DELETE, its heading POST.',
      { rules: ['permissions.edit-remove', 'permissions.heading-method'], gaps: ['heading-methods'] },
    ],
    [
      'On permissions/view/{pageId} the request line of adding to the view permission has PUT, its heading POST.',
      { rules: ['permissions.view-add', 'permissions.heading-method'], gaps: ['view-post'] },
    ],
    [
      'On the same path the request line of removing them has DELETE, its heading POST.',
      { rules: ['permissions.view-remove', 'permissions.heading-method'], gaps: ['view-post'] },
    ],
    [
      'On permissions/all/{pageId} the request line of removing them from all permissions has DELETE, its heading POST.',
      { rules: ['permissions.all-remove', 'permissions.heading-method'], gaps: ['heading-methods'] },
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
      'The last operation calls its list of groups `group` in one place and `groups` in the example, which counts.',
      { rules: ['permissions.groups-field'], gaps: ['all-group-field'] },
    ],
  ),
  section(
    '4.4',
    'Space actions',
    [
      'POST spaces/add-sidebar-link adds a link of the given name to the sidebar of a space; its body is that about a sidebar link.',
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
      'POST spaces/isUnique takes a key and a name as query parameters, and checks whether a space of these exists already.',
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
