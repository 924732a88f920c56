// The gaps about push and pull, and about credentials.
import type { Gap } from './gap.js';

const pushing = '4.5 Push and pull, rule 5; 1 "Difference in effect between push and pull: not shown"';

export const ppfGaps = {
  'ppf-effect': {
    asks: 'What do push and pull change?',
    source: pushing,
    readings: [
      ['push-adds', "push adds the items to the users' favourites, and pull removes them"],
      ['pushed-only', 'push adds the items, and pull removes only those that were pushed'],
      ['record-only', 'push and pull only check the request, and change nothing'],
    ],
  },
  'ppf-anonymous': {
    asks: 'With which status do push and pull refuse a caller without credentials?',
    source: '5 "require an authenticated caller ... otherwise the response is 403"; the scheme is not shown',
    readings: [
      ['403', '403, the only status that the document gives'],
      ['401', '401, as in Jira'],
    ],
  },
  'bad-credentials': {
    asks: 'How does any operation respond to a wrong password or token?',
    source: '5 "Authentication scheme: not shown"',
    refusal: 'The credentials are wrong',
    readings: [
      ['401', 'the response is 401 with WWW-Authenticate'],
      ['403', 'the response is 403'],
      ['anonymous', 'the request counts as one without credentials', 'The credentials are wrong.'],
    ],
  },
  'auth-scheme': {
    asks: 'Which kinds of credentials are accepted, for any operation?',
    source: '5 "Authentication scheme for push and pull: not shown beyond a pointer"; for the wiki it is not shown',
    readings: [
      ['all', 'Basic, a personal access token as Bearer, and a session cookie are accepted'],
      ['basic', 'only Basic is accepted; a caller with a token or a cookie is anonymous'],
    ],
  },
  'ppf-check-order': {
    asks: 'How is a push or pull refused if it is both invalid and not permitted?',
    source: '7 gives 400 and 403 without an order',
    readings: [
      ['403-first', 'the response is 403: permissions are checked first'],
      ['400-first', 'the response is 400: the body is checked first'],
    ],
  },
  'ppf-empty-arrays': {
    asks: 'Does an empty list of users, groups, filters or dashboards satisfy the requirement of at least one?',
    source: '4.5 rules 1 and 2',
    readings: [
      ['absent', 'an empty list counts as missing'],
      ['present', 'an empty list satisfies the requirement', 'The only list of recipients or of items is empty.'],
    ],
  },
  'ppf-unknown-item': {
    asks: 'What happens when a group, filter or dashboard does not exist?',
    source: '4.5 rule 5 speaks of users only, as an instance',
    refusal: 'A named group, filter or dashboard does not exist',
    readings: [
      ['message', 'the response is 200 with success false and a message'],
      ['400', 'the request is refused with 400, and nothing is changed'],
    ],
  },
  'ppf-partial': {
    asks: 'Are the valid items applied when others fail?',
    source: '4.5 rule 5 "processed completely without errors; otherwise false"',
    readings: [
      ['apply-rest', 'the valid items are applied'],
      ['all-or-nothing', 'nothing is changed'],
    ],
  },
  'ppf-invisible-item': {
    asks: 'What happens when an item is pushed to a user who cannot see it?',
    source: pushing,
    readings: [
      ['message', 'the item is not pushed to that user, and a message says so, even if it is a favourite already'],
      ['push-anyway', 'the item becomes a favourite anyway'],
    ],
  },
  'ppf-no-change': {
    asks: 'Does the response report items for which nothing changed (pushed to a user who already has the item, or pulled from a user who keeps it or never had it)?',
    source: pushing,
    readings: [
      ['ok', 'items for which nothing changed are not reported'],
      ['message', 'a message reports items for which nothing changed, and success is false'],
      ['note', 'a message reports items for which nothing changed, and success stays true'],
    ],
  },
  'ppf-error-body': {
    asks: 'What does the body of a refused push or pull look like?',
    source: '7 gives statuses only',
    readings: [
      ['jira', '{"errorMessages": [...], "errors": {}}, as in Jira'],
      ['messages', '{"messages": [...]}'],
      ['empty', 'there is no body'],
    ],
  },
  'ppf-message-text': {
    asks: 'How are the messages of push and pull worded?',
    source: '4.5 "messages: array of text"; the vendor shows one of them, for a user',
    readings: [
      ['vendor', 'they are worded like the vendor\'s "Could not find user with name bob"'],
      ['other', 'they have a different wording'],
    ],
  },
} as const satisfies Record<string, Gap>;
