// Statements of the document on push and pull, and on both APIs: sections 4.5 to 9.
import { type Section, section } from './statement.js';

export const ppfSections: readonly Section[] = [
  section(
    '4.5',
    'Push and pull filters and dashboards',
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
  ),
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
