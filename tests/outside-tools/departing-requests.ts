// The requests of the shipped scenarios that depart from the document, for Prism: how many of each run, and in what. A new step that sends
// one on purpose is counted here; any other is a mistake, in the step or in the document.

type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * `address`: no path or method of the document; `credentials`: none of the schemes that are due; `body`, `query`, `content type`: not as
 * described. Prism takes a query parameter that is empty for one that is not there: an empty targetSpaceAdmin is as documented.
 */
export const departing: Counts = {
  'anonymous-caller': { credentials: 1 },
  'licence-runs-out': { body: 1 },
  'nobody-to-push-to': { body: 3 },
  'pushing-favourites': { body: 1 },
  'strict-wiki': { credentials: 1, body: 1 },
  'template-copy': { query: 1 },
  'reading-back': { address: 9 }, // the hosts' own resources are in a document of their own
  'rules/address.case-sensitive': { address: 18, body: 1 },
  'rules/address.context-path': { body: 1, address: 3 },
  'rules/address.extension-path': { address: 22 },
  'rules/address.json-bodies': { body: 15, 'content type': 2 },
  'rules/address.no-context-path': { body: 3, address: 3 },
  'rules/address.ppf-path': { body: 2, address: 11 },
  'rules/expand.list': { address: 2 },
  'rules/expand.nested': { address: 2 },
  'rules/groups.body': { body: 20 },
  'rules/permissions.body': { body: 30 },
  'rules/permissions.groups-field': { body: 5 },
  'rules/permissions.heading-method': { address: 5 },
  'rules/ppf.admin-only': { body: 2 },
  'rules/ppf.authenticated': { credentials: 9, 'body and credentials': 1 },
  'rules/ppf.body-types': { body: 36 },
  'rules/ppf.invalid-is-400': { body: 14 },
  'rules/ppf.licensed-only': { body: 2 },
  'rules/ppf.needs-item': { body: 12 },
  'rules/ppf.needs-recipient': { body: 12 },
  'rules/spaces.copy-default-admin': { query: 5 },
  'rules/spaces.copy-keep-metadata': { query: 1 },
  'rules/spaces.copy-query-only': { 'content type and query': 1, 'content type': 5 },
  'rules/spaces.copy-remove-admin': { query: 3 },
  'rules/spaces.replace-list': { body: 9 },
  'rules/spaces.sidebar-link': { body: 7 },
  'gaps/all-group-field (all-group-field=groups-or-group)': { body: 2 },
  'gaps/all-group-field (all-group-field=groups-only)': { body: 2 },
  'gaps/content-type (content-type=lenient)': { 'content type': 5 },
  'gaps/content-type (content-type=415)': { 'content type': 5 },
  'gaps/context-path (context-path=none)': { address: 4 },
  'gaps/heading-methods (heading-methods=none)': { address: 2 },
  'gaps/missing-field (missing-field=400)': { body: 1 },
  'gaps/ppf-anonymous (ppf-anonymous=403)': { credentials: 1 },
  'gaps/ppf-anonymous (ppf-anonymous=401)': { credentials: 1 },
  'gaps/ppf-check-order (ppf-check-order=403-first)': { body: 1, credentials: 1, 'body and credentials': 1 },
  'gaps/ppf-check-order (ppf-check-order=400-first)': { body: 1, credentials: 1, 'body and credentials': 1 },
  'gaps/ppf-empty-arrays (ppf-empty-arrays=absent)': { body: 2 },
  'gaps/ppf-empty-arrays (ppf-empty-arrays=present)': { body: 1 },
  'gaps/ppf-error-body (ppf-error-body=jira)': { body: 1 },
  'gaps/ppf-error-body (ppf-error-body=messages)': { body: 1 },
  'gaps/ppf-error-body (ppf-error-body=empty)': { body: 1 },
  'gaps/unknown-field (unknown-field=400)': { body: 1 },
  'gaps/view-post (view-post=reject)': { address: 2 },
  'gaps/wiki-auth (wiki-auth=authenticated)': { credentials: 1 },
  'gaps/wiki-auth (wiki-auth=admin)': { credentials: 1 },
  'gaps/wiki-prefix (wiki-prefix=any)': { address: 2 },
  'gaps/wiki-prefix (wiki-prefix=rest)': { address: 2 },
  'gaps/wiki-prefix (wiki-prefix=rest-api)': { address: 2 },
  'gaps/wiki-prefix (wiki-prefix=bare)': { address: 1 },
};

/** Those of them that are done all the same, because a rule or a reading is more lenient than the document. */
export const accepted: Counts = {
  'template-copy': { query: 1 },
  'reading-back': { address: 7 },
  'rules/address.extension-path': { address: 2 },
  'rules/address.json-bodies': { 'content type': 1 },
  'rules/expand.list': { address: 2 },
  'rules/expand.nested': { address: 2 },
  'rules/spaces.copy-default-admin': { query: 5 },
  'rules/spaces.copy-keep-metadata': { query: 1 },
  'rules/spaces.copy-query-only': { 'content type': 5 },
  'rules/spaces.copy-remove-admin': { query: 1 },
  'gaps/content-type (content-type=lenient)': { 'content type': 5 },
  'gaps/wiki-prefix (wiki-prefix=any)': { address: 2 },
};
