// The gaps about the content of requests: missing, unknown, empty or odd fields, parameters and lists, and the content type.
import type { Gap } from './gap.js';

const due = '4.5 "Other gaps": required or optional fields and parameters of the wiki operations are not shown';

export const requestGaps = {
  'name-case': {
    asks: 'Does case count in the names of users, groups and spaces that a body or a query gives as values?',
    source: '2 "All names are case-sensitive" does not say whether it means names of fields or values too',
    readings: [
      ['exact', 'yes: a name in another case is another name'],
      [
        'ignored',
        'no: of the names that exist, the same one is taken, else the first in order that differs only in case; of other names that differ only in case, the first of the request',
        'A name is in another letter case.',
      ],
    ],
  },
  'missing-field': {
    asks: 'May a field of a wiki operation be left out that is no list, or the list of replacements?',
    source: due,
    readings: [
      ['400', 'no: refused with 400'],
      ['empty', 'yes: taken as an empty string, or as no replacements', 'The body lacks a field.'],
    ],
  },
  'missing-list': {
    asks: 'May a wiki operation be sent without one of its lists of users and groups?',
    source: due,
    readings: [
      ['400', 'no: refused with 400'],
      ['empty', 'yes: taken as an empty list', 'The body lacks a list.'],
    ],
  },
  'missing-parameter': {
    asks: 'May a query parameter of a wiki operation be left out?',
    source: due,
    readings: [
      ['400', 'no: a missing one is refused with 400'],
      ['empty', 'yes: a missing one is read as an empty string or false', 'The query lacks a parameter.'],
      [
        'copy-options',
        'only targetSpaceAdmin, removeAdminPermissions and keepPagesMetadata, which are read as an empty string or false',
        'The query lacks a parameter.',
      ],
    ],
  },
  'field-type': {
    asks: 'What happens to a field of the body that has a value of another type?',
    source: '2 gives each field one type, and 7 gives no status for another',
    readings: [
      ['400', 'refused with 400'],
      [
        'scalars',
        'a number, true or false counts as its text, and text of digits as a number, also in lists; other values are refused with 400',
        'A field of the body has a value of another type.',
      ],
      [
        'all',
        'as scalars, and a single text or number counts as a list of one',
        'A field of the body has a value of another type.',
      ],
    ],
  },
  'null-field': {
    asks: 'What does null mean as the value of a field?',
    source: '2 gives each field a type and does not speak of null',
    readings: [
      ['400', 'it is of another type: refused with 400'],
      ['absent', 'the field is left out', 'A field of the body is null.'],
    ],
  },
  'unknown-field': {
    asks: 'What happens to a field of a wiki operation that the document does not name?',
    source: '2 lists the fields and does not say that there are no others',
    readings: [
      ['ignore', 'it is ignored', 'The body has a field that the operation does not have.'],
      ['400', 'refused with 400'],
    ],
  },
  'ppf-unknown-field': {
    asks: 'What happens to a field of a push or pull that the document does not name?',
    source: '2 lists the fields and does not say that there are no others',
    readings: [
      ['ignore', 'it is ignored', 'The body has a field that the operation does not have.'],
      ['400', 'refused with 400'],
    ],
  },
  'unknown-parameter': {
    asks: 'What happens to a query parameter that the document does not name?',
    source: '4.4 lists the parameters and does not say that there are no others',
    readings: [
      ['ignore', 'it is ignored', 'The query has a parameter that the operation does not have.'],
      ['400', 'refused with 400'],
    ],
  },
  'repeated-parameter': {
    asks: 'Which value counts of a query parameter that is sent several times?',
    source: '4.4 lists each parameter once',
    readings: [
      ['first', 'the first', 'The query has a parameter several times.'],
      ['last', 'the last', 'The query has a parameter several times.'],
      ['400', 'none: refused with 400'],
    ],
  },
  'query-boolean': {
    asks: 'How is a boolean written in a query?',
    source: '4.4 Copy space query parameters, type boolean',
    readings: [
      ['strict', 'true or false, in any case; anything else is 400'],
      [
        'lenient',
        'true, in any case, is true; anything else is false',
        'A boolean in the query is neither true nor false.',
      ],
    ],
  },
  'list-limit': {
    asks: 'How many names or ids may one list have?',
    source: '8 "Limits (... maximum array lengths): not shown"',
    readings: [
      ['none', 'any number; a list of more than 10000 elements is refused with 413 under either reading'],
      ['1000', 'at most 1000; more are 400'],
    ],
  },
  'content-type': {
    asks: 'Is a JSON body read that comes with another content type, or with none?',
    source: '2 "All bodies are JSON (Content-Type application/json)"',
    readings: [
      ['lenient', 'yes', 'The body has no Content-Type application/json.'],
      ['415', 'refused with 415'],
    ],
  },
  'browser-post': {
    asks: 'Is a POST accepted from a browser or another origin without the header X-Atlassian-Token: no-check?',
    source:
      '5 "Authentication and authorization for the wiki extension operations: not shown"; 5 "Authentication scheme for push and pull: not shown"',
    readings: [
      ['accept', 'yes', 'A POST of a browser lacks the header X-Atlassian-Token: no-check.'],
      [
        '403',
        'no: refused with 403, "XSRF check failed", if its Origin is another server, or its User-Agent a browser and its Origin not this server',
      ],
    ],
  },
  'error-text': {
    asks: 'How detailed is the message of a refusal?',
    source: '7 gives statuses and conditions, and no text of an error',
    readings: [
      ['detailed', 'it says what is wrong, where, and what would be right'],
      ['other', 'it names only the kind of refusal'],
    ],
  },
} as const satisfies Record<string, Gap>;
