// Statements of the document that are about no family of operations: sections 0 to 4.1, and 5 to 9. The others stand beside the operations.
import { type Section, section } from './statement.js';

const adds = ['groups.add-users', 'groups.remove-users', 'groups.set-users'];
const permits = [
  'permissions.edit-add',
  'permissions.edit-remove',
  'permissions.view-add',
  'permissions.view-remove',
  'permissions.all-remove',
];

export const sectionsBefore: readonly Section[] = [
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
];

export const sectionsAfter: readonly Section[] = [
  section(
    '5',
    'Authentication',
    ['Push and pull require an authenticated caller.', { rules: ['ppf.authenticated'], gaps: ['ppf-anonymous'] }],
    ['The caller has to be an admin, else the status is 403.', { rules: ['ppf.admin-only'] }],
    ['The add-on has to be licensed, else the status is 403.', { rules: ['ppf.licensed-only'] }],
    [
      'How a caller authenticates is not shown; the document refers to the authentication of the issue tracker.',
      { gaps: ['auth-scheme', 'bad-credentials', 'ppf-anonymous', 'browser-post'] },
    ],
    [
      'Who may call the operations of the extension, and how, is not shown.',
      {
        gaps: ['wiki-auth', 'wiki-anonymous', 'wiki-licence', 'wiki-check-order', 'replace-permission', 'browser-post'],
      },
    ],
  ),
  section('6', 'Events', ['Events are not shown.', { unseen: 'Nothing is sent to a client that has not asked.' }]),
  section(
    '7',
    'Errors',
    [
      'Push and pull respond with 400 to a request without users and groups, or without filters and dashboards.',
      { rules: ['ppf.invalid-is-400'], gaps: ['ppf-check-order', 'ppf-error-body'] },
    ],
    [
      'They respond with 403 to a caller who is not an admin, or if the add-on is not licensed.',
      { rules: ['ppf.admin-only', 'ppf.licensed-only'], gaps: ['ppf-check-order', 'ppf-error-body'] },
    ],
    [
      'They respond with 200 if the request is processed; what failed is in `messages`, with `success` false.',
      { rules: ['ppf.processed-is-200', 'ppf.failure-message'] },
    ],
    [
      'The statuses and bodies of the extension errors are not shown.',
      { gaps: ['wiki-error-body', 'error-text', 'unknown-user', 'unknown-group', 'unknown-page', 'unknown-space'] },
    ],
  ),
  section('8', 'Limits', [
    'Rate limits, size limits and maximum list lengths are not shown.',
    { gaps: ['list-limit'] },
  ]),
  section(
    '9',
    'Versioning',
    ['The paths of the extension have the segment `latest` behind its name.', { rules: ['address.extension-path'] }],
    ['The paths of push and pull have it behind `cwx-ppf`.', { rules: ['address.ppf-path'] }],
    ['Other version identifiers are not shown.', { gaps: ['version-segment'] }],
    [
      'Rules of deprecation and guarantees of compatibility are not shown.',
      { unseen: 'They are about future versions: no response of today shows them.' },
    ],
  ),
];
