// The gaps of the document as the model knows them: each with its readings, the default first. Written by hand, from the design.

export const gaps: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'wiki-prefix': ['any', 'rest', 'rest-api', 'bare'],
  'context-path': ['any', 'none', '/wiki'],
  'ppf-context-path': ['any', 'none'],
  'version-segment': ['latest', 'any'],
  'trailing-slash': ['404', 'accept'],
  'heading-methods': ['unambiguous', 'none'],
  'view-post': ['reject', 'add', 'remove'],
  'all-group-field': ['groups-or-group', 'groups-only'],
  'wiki-auth': ['open', 'authenticated', 'admin', 'permitted'],
  'wiki-anonymous': ['401', '403'],
  'wiki-licence': ['not-needed', 'needed'],
  'wiki-check-order': ['access-first', 'validation-first'],
  'wiki-success': ['object', 'empty', 'no-content', 'messages'],
  'copy-success': ['like-others', '201', '202', 'space'],
  'wiki-error-body': ['confluence', 'messages', 'empty'],
  'unknown-user': ['404', '400', '403', 'skip'],
  'unknown-group': ['404', '400', '403', 'skip', 'create'],
  'page-id-format': ['digits', 'any'],
  'unknown-page': ['404', '400', '403'],
  'unknown-space': ['404', '400', '403'],
  'no-change': ['ok', '409'],
  'empty-lists': ['ok', '400'],
  'all-remove-empty': ['like-others', 'everyone'],
  'set-users-empty': ['clears', '400'],
  'sidebar-duplicate': ['append', 'replace', '409'],
  'sidebar-link-form': ['any', 'checked'],
  'target-space-exists': ['409', '400'],
  'copied-content': ['all', 'pages'],
  'admin-eligibility': ['any-user', 'admins-only'],
  'target-title-taken': ['allow', '409'],
  'space-title-form': ['any', '1-to-255'],
  'space-key-format': ['alphanumeric', 'any'],
  'default-space-admin': ['first-admin', 'caller'],
  'copied-metadata-when-not-kept': ['caller-now', 'admin-now'],
  'is-unique-match': ['either', 'both', 'key-only'],
  'is-unique-answer': ['boolean', 'inverted', 'object', 'exists', 'messages', 'status'],
  'replace-scope': ['all', 'first'],
  'replace-order': ['sequential', 'simultaneous'],
  'replace-target': ['markup', 'visible-text'],
  'replace-not-found': ['ok', '404'],
  'old-text-empty': ['400', 'ignored'],
  'replace-permission': ['ignored', 'enforced', '403'],
  'replaced-title': ['400', 'allow'],
  'page-title-shared': ['first', '409'],
  'replace-title-clash': ['409', '400', 'allow'],
  'page-title-case': ['exact', 'ignored'],
  'expand-unknown': ['ignore', '400'],
  'ppf-effect': ['push-adds', 'pushed-only', 'record-only'],
  'ppf-anonymous': ['403', '401'],
  'bad-credentials': ['401', '403', 'anonymous'],
  'auth-scheme': ['all', 'basic'],
  'ppf-check-order': ['403-first', '400-first'],
  'ppf-empty-arrays': ['absent', 'present'],
  'ppf-unknown-item': ['message', '400'],
  'ppf-partial': ['apply-rest', 'all-or-nothing'],
  'ppf-invisible-item': ['message', 'push-anyway'],
  'ppf-no-change': ['ok', 'message', 'note'],
  'ppf-message-text': ['vendor', 'other'],
  'ppf-error-body': ['jira', 'messages', 'empty'],
  'name-case': ['exact', 'ignored'],
  'missing-field': ['400', 'empty'],
  'missing-list': ['400', 'empty'],
  'missing-parameter': ['400', 'empty', 'copy-options'],
  'field-type': ['400', 'scalars', 'all'],
  'null-field': ['400', 'absent'],
  'unknown-field': ['ignore', '400'],
  'ppf-unknown-field': ['ignore', '400'],
  'unknown-parameter': ['ignore', '400'],
  'repeated-parameter': ['first', 'last', '400'],
  'query-boolean': ['strict', 'lenient'],
  'list-limit': ['none', '1000'],
  'content-type': ['lenient', '415'],
  'browser-post': ['accept', '403'],
  'error-text': ['detailed', 'other'],
};

export type ModelReadings = Readonly<Record<string, string>>;

export const defaults: ModelReadings = Object.fromEntries(Object.entries(gaps).map(([gap, [first]]) => [gap, first]));

/** `gap=reading, …`; `undefined` for an unknown gap or reading. */
export function readingsIn(text: string | undefined): ModelReadings | undefined {
  const pairs = (text ?? '')
    .split(',')
    .map(pair => pair.trim().split('='))
    .filter(([gap]) => gap !== '');
  const isKnown = pairs.every(
    ([gap = '', reading = '']) =>
      Object.hasOwn(gaps, gap) &&
      (gaps[gap]?.includes(reading) || (gap === 'context-path' && /^\/[\w.-]+$/.test(reading))),
  );
  return isKnown ? Object.fromEntries(pairs) : undefined;
}
