// The gaps about push and pull, and about credentials.
import type { Gap } from './gap.js';

const pushing = '4.5 Push and pull, rule 5; 1 "Difference in effect between push and pull: not shown"';

export const ppfGaps = {
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
      ['401', 'what Jira does'],
    ],
  },
  'bad-credentials': {
    asks: 'What does a caller with a wrong password or token get, from any operation?',
    source: '5 "Authentication scheme: not shown"',
    readings: [
      ['401', '401 with WWW-Authenticate'],
      ['403', '403'],
      ['anonymous', 'the same as without credentials', 'The credentials are wrong.'],
    ],
  },
  'auth-scheme': {
    asks: 'Which kinds of credentials count, for any operation?',
    source: '5 "Authentication scheme for push and pull: not shown beyond a pointer"; for the wiki it is not shown',
    readings: [
      ['all', 'Basic, a personal access token as Bearer, and the cookie of a session'],
      ['basic', 'Basic only: a caller with a token or a cookie is anonymous'],
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
      ['present', 'yes: it is enough', 'The only list of recipients or of items is empty.'],
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
      ['jira', '{"errorMessages": [...], "errors": {}}, as Jira answers'],
      ['messages', '{"messages": [...]}'],
      ['empty', 'no body'],
    ],
  },
  'ppf-message-text': {
    asks: 'How are the messages of push and pull worded?',
    source: '4.5 "messages: array of text"; the vendor shows one of them, for a user',
    readings: [
      ['vendor', 'those of the vendor, as in "Could not find user with name bob", and others like them'],
      ['other', 'other words for the same'],
    ],
  },
} as const satisfies Record<string, Gap>;
