// The ledger of gaps: each question that the document leaves open, where it does so, and the readings one can choose from; the first is the default.
// Says nothing of how a reading is carried out: that is in the operation that asks for it.

interface Gap {
  /** The question. */
  readonly asks: string;
  /** Where the document leaves it open. */
  readonly source: string;
  /** Each reading with what it means. Not an object: names such as `404` would change places in one. */
  readonly readings: readonly (readonly [name: string, means: string])[];
  /** A form in which further readings may be written, where the list is not all. */
  readonly open?: { readonly form: string; readonly pattern: RegExp };
}

const membership = '4.2 Group actions; 4 "Which ... are required or optional: not shown"';
const fields = '4.5 "Other gaps": required or optional fields of the wiki operations are not shown';
const errors = '7 "Errors of the wiki extension operations (status codes, error bodies): not shown"';
const success = '4.5 "Response bodies of the wiki extension operations: not shown"';
const auth = '5 "Authentication and authorization for the wiki extension operations: not shown"';
const copying = '4.4 Copy space';
const replacing = '4.4 Replace text in existing page';
const pushing = '4.5 Push and pull, rule 5; 1 "Difference in effect between push and pull: not shown"';

export const gaps = {
  'wiki-prefix': {
    asks: 'Below which prefixes, besides the canonical one, is the wiki extension served?',
    source: '4.1 "Exact prefix placing this resource relative to the REST root: not shown"',
    readings: [
      ['any', 'below /rest/cwxapiextension, /rest/api/cwxapiextension and /cwxapiextension'],
      ['rest', 'below /rest/cwxapiextension only'],
      ['rest-api', 'below /rest/api/cwxapiextension only'],
      ['bare', 'below /cwxapiextension only'],
    ],
  },
  'context-path': {
    asks: 'Which context path does this server have?',
    source: '4.1 gives a form with a context path and one without',
    readings: [
      ['any', 'one segment of any name, or none'],
      ['none', 'no context path'],
    ],
    open: { form: 'a literal such as /wiki', pattern: /^\/[A-Za-z0-9._-]+$/ },
  },
  'heading-methods': {
    asks: 'Is the method of a heading accepted too, where it differs from the request line and only one operation claims it?',
    source: '4.3 "may additionally accept the method in the heading column"',
    readings: [
      ['unambiguous', 'POST removes on permissions/edit and permissions/all'],
      ['none', 'only the method of the request line'],
    ],
  },
  'view-post': {
    asks: 'What does POST on permissions/view do, which the headings give to adding and to removing?',
    source: '4.3, the headings of both view operations',
    readings: [
      ['reject', '405, which says why'],
      ['add', 'it adds'],
      ['remove', 'it removes'],
    ],
  },
  'all-group-field': {
    asks: 'Is `group` accepted beside `groups` when everything is removed?',
    source: '4.3 "names its array group in one place and groups in the example body"',
    readings: [
      ['groups-or-group', 'either name; both together are taken as one list'],
      ['groups-only', 'only groups; group is an unknown field'],
    ],
  },
  'wiki-auth': {
    asks: 'Who may call the wiki operations?',
    source: auth,
    readings: [
      ['open', 'anyone'],
      ['authenticated', 'any user of the wiki; 401 without credentials'],
      ['admin', 'admins; 401 without credentials, 403 for other users'],
    ],
  },
  'wiki-success': {
    asks: 'What does a wiki operation answer when it has done its work?',
    source: success,
    readings: [
      ['object', '200 with the body {}'],
      ['empty', '200 without a body'],
      ['no-content', '204'],
      ['messages', '200 with {"success":true,"messages":[]}'],
    ],
  },
  'wiki-error-body': {
    asks: 'What does the body of a refused wiki operation look like?',
    source: errors,
    readings: [
      ['confluence', '{"statusCode", "message", "reason"}, as the host answers'],
      ['messages', '{"messages": [...]}'],
      ['empty', 'no body'],
    ],
  },
  'unknown-user': {
    asks: 'What happens when a user that is named does not exist?',
    source: errors,
    readings: [
      ['404', 'refused with 404'],
      ['400', 'refused with 400'],
      ['skip', 'the name is passed over, the rest is applied'],
    ],
  },
  'unknown-group': {
    asks: 'What happens when a group that is named does not exist?',
    source: errors,
    readings: [
      ['404', 'refused with 404'],
      ['400', 'refused with 400'],
      ['skip', 'the name is passed over, the rest is applied'],
      ['create', 'the group is made'],
    ],
  },
  'unknown-page': {
    asks: 'What happens when the page does not exist?',
    source: errors,
    readings: [
      ['404', 'refused with 404'],
      ['400', 'refused with 400'],
    ],
  },
  'unknown-space': {
    asks: 'What happens when the space does not exist?',
    source: errors,
    readings: [
      ['404', 'refused with 404'],
      ['400', 'refused with 400'],
    ],
  },
  'missing-field': {
    asks: 'Which fields and parameters of the wiki operations may be left out?',
    source: fields,
    readings: [
      ['400', 'none: refused with 400'],
      ['empty', 'all: taken as an empty list, an empty string or false'],
    ],
  },
  'unknown-field': {
    asks: 'What happens to a field that the document does not name?',
    source: '2 lists the fields and does not say that there are no others',
    readings: [
      ['ignore', 'it is passed over'],
      ['400', 'refused with 400'],
    ],
  },
  'no-change': {
    asks: 'What is the answer when there is nothing to change: adding who is in, removing who is not?',
    source: membership,
    readings: [
      ['ok', 'as if it had been done'],
      ['409', 'refused with 409, nothing is changed'],
    ],
  },
  'set-users-empty': {
    asks: 'What does an empty list of users mean to set-users?',
    source: membership,
    readings: [
      ['clears', 'the group is left without members'],
      ['400', 'refused with 400'],
    ],
  },
  'sidebar-duplicate': {
    asks: 'What happens when the sidebar has a link with that label?',
    source: '4.4 Add space sidebar link',
    readings: [
      ['append', 'there are two'],
      ['replace', 'the new one takes its place'],
      ['409', 'refused with 409'],
    ],
  },
  'target-space-exists': {
    asks: 'What happens when the key of the new space is taken?',
    source: copying,
    readings: [
      ['409', 'refused with 409'],
      ['400', 'refused with 400'],
    ],
  },
  'space-key-format': {
    asks: 'Which keys may a new space have?',
    source: copying,
    readings: [
      ['alphanumeric', 'letters A-Z a-z and digits, 1 to 255 of them; anything else is 400'],
      ['any', 'any text'],
    ],
  },
  'default-space-admin': {
    asks: 'Which admin is picked when targetSpaceAdmin is empty?',
    source: '4.4 "empty means a default admin is picked"',
    readings: [
      ['first-admin', 'the first admin by name'],
      ['caller', 'the caller; for an anonymous one the first admin by name'],
    ],
  },
  'copied-metadata-when-not-kept': {
    asks: 'Whose name and which date do copied pages bear when keepPagesMetadata is false?',
    source: '4.4 keepPagesMetadata',
    readings: [
      ['caller-now', 'the caller and the time of the copy'],
      ['admin-now', 'the admin of the new space and the time of the copy'],
    ],
  },
  'is-unique-match': {
    asks: 'When does a space with the given key and name exist?',
    source: '4.4 "whether a space with the given key and name already exists"',
    readings: [
      ['either', 'when the key or the name is taken'],
      ['both', 'when one space has that key and that name'],
      ['key-only', 'when the key is taken'],
    ],
  },
  'is-unique-answer': {
    asks: 'How is the answer given, and does true mean free or taken?',
    source: '4.4: the operation is called "check if space exists" and its path isUnique',
    readings: [
      ['boolean', 'true when free'],
      ['inverted', 'true when taken'],
      ['object', '{"unique": true} when free'],
      ['status', '200 when free, 409 when taken'],
    ],
  },
  'replace-scope': {
    asks: 'Is every occurrence replaced?',
    source: replacing,
    readings: [
      ['all', 'every one, in the body and in the title'],
      ['first', 'the first in the body and the first in the title'],
    ],
  },
  'replace-order': {
    asks: 'Does an element of the list see what the elements before it have made?',
    source: replacing,
    readings: [
      ['sequential', 'yes, each works on the result of the last'],
      [
        'simultaneous',
        'no, all look at the text as it was; where two match, the earlier place and then the earlier element wins',
      ],
    ],
  },
  'replace-not-found': {
    asks: 'What happens when an oldText stands neither in the body nor in the title?',
    source: replacing,
    readings: [
      ['ok', 'nothing, and it is no error'],
      ['404', 'refused with 404, nothing is changed'],
    ],
  },
  'replace-title-clash': {
    asks: 'What happens when another page of the space has the title that would result?',
    source: replacing,
    readings: [
      ['409', 'refused with 409, nothing is changed'],
      ['400', 'refused with 400, nothing is changed'],
      ['allow', 'there are two pages of that title'],
    ],
  },
  'expand-unknown': {
    asks: 'What happens when expand names something that the answer does not have?',
    source: '2 "Which endpoints accept expand is left open"',
    readings: [
      ['ignore', 'nothing'],
      ['400', 'refused with 400'],
    ],
  },
  'ppf-effect': {
    asks: 'What do push and pull change?',
    source: pushing,
    readings: [
      ['push-adds', 'push makes items favourites of the users, pull takes them away'],
      ['record-only', 'nothing: the request is checked and reported on'],
    ],
  },
  'ppf-anonymous': {
    asks: 'What does a caller without credentials get from push and pull?',
    source: '5 "require an authenticated caller ... otherwise the response is 403"; the scheme is not shown',
    readings: [
      ['403', 'the only status that the document gives'],
      ['401', 'what the hosts do'],
    ],
  },
  'bad-credentials': {
    asks: 'What does a caller with a wrong password or token get, from any operation?',
    source: '5 "Authentication scheme: not shown"',
    readings: [
      ['401', '401 with WWW-Authenticate'],
      ['403', '403'],
    ],
  },
  'ppf-check-order': {
    asks: 'Which answer does a request get that is both invalid and not permitted?',
    source: '7 gives 400 and 403 without an order',
    readings: [
      ['403-first', '403'],
      ['400-first', '400'],
    ],
  },
  'ppf-empty-arrays': {
    asks: 'Is an empty list of users, groups, filters or dashboards a list?',
    source: '4.5 rules 1 and 2',
    readings: [
      ['absent', 'no: it is as if it had been left out'],
      ['present', 'yes: it is enough'],
    ],
  },
  'ppf-unknown-item': {
    asks: 'What happens when a group, filter or dashboard that is named does not exist?',
    source: '4.5 rule 5 speaks of users only, as an instance',
    readings: [
      ['message', '200 with success false and a message'],
      ['400', 'refused with 400, nothing is changed'],
    ],
  },
  'ppf-partial': {
    asks: 'Is the rest applied when something could not be?',
    source: '4.5 rule 5 "processed completely without errors; otherwise false"',
    readings: [
      ['apply-rest', 'yes'],
      ['all-or-nothing', 'no: nothing is changed'],
    ],
  },
  'ppf-invisible-item': {
    asks: 'What happens when an item is pushed to a user who may not see it?',
    source: pushing,
    readings: [
      ['message', 'it is not pushed to that user, and a message says so'],
      ['push-anyway', 'it becomes a favourite all the same'],
    ],
  },
  'ppf-no-change': {
    asks: 'Is it reported when an item is a favourite already, or is none when it is pulled?',
    source: pushing,
    readings: [
      ['ok', 'no'],
      ['message', 'yes, by a message, and success is false'],
    ],
  },
  'ppf-error-body': {
    asks: 'What does the body of a refused push or pull look like?',
    source: '7 gives statuses only',
    readings: [
      ['jira', '{"errorMessages": [...], "errors": {}}, as the host answers'],
      ['messages', '{"messages": [...]}'],
      ['empty', 'no body'],
    ],
  },
  'content-type': {
    asks: 'Is a JSON body read that comes with another content type, or with none?',
    source: '2 "All bodies are JSON (Content-Type application/json)"',
    readings: [
      ['lenient', 'yes'],
      ['415', 'refused with 415'],
    ],
  },
} as const satisfies Record<string, Gap>;

export type GapId = keyof typeof gaps;
/** The names of the readings of one gap. Of `context-path`, any literal that begins with a slash is one too. */
export type Reading<G extends GapId = GapId> =
  | (typeof gaps)[G]['readings'][number][0]
  | (G extends 'context-path' ? `/${string}` : never);
export type Readings = { readonly [G in GapId]: Reading<G> };
export type SomeReadings = { readonly [G in GapId]?: Reading<G> };

export const gapIds = Object.keys(gaps) as GapId[];

export function gapSpec(id: GapId): Gap {
  return gaps[id];
}

export function isGapId(name: string): name is GapId {
  return Object.hasOwn(gaps, name);
}

/** The names of a gap's readings, the default first. */
export function readingNames(id: GapId): string[] {
  return gapSpec(id).readings.map(([name]) => name);
}

export function isReading<G extends GapId>(id: G, name: string): name is Reading<G> & string {
  return readingNames(id).includes(name) || (gapSpec(id).open?.pattern.test(name) ?? false);
}

export const defaultReadings: Readings = Object.freeze(
  Object.fromEntries(gapIds.map(id => [id, gaps[id].readings[0][0]])) as unknown as Readings, // one for each gap
);

/** Readings laid over one another, the later over the earlier. */
export function layReadings(base: Readings, ...layers: readonly (SomeReadings | undefined)[]): Readings {
  return Object.assign({}, base, ...layers) as Readings; // each layer holds readings of the gaps it names
}
