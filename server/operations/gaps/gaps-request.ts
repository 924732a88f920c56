// The gaps about the content of requests: missing, unknown, empty or odd fields, parameters and lists, and the content type.
import type { Gap } from './gap.js';

const due = '4.5 "Other gaps": required or optional fields and parameters of the wiki operations are not shown';

export const requestGaps = {
  'name-case': {
    asks: 'Are user names, group names and space keys in a body or query case-sensitive?',
    source: '2 "All names are case-sensitive" does not say whether it means names of fields or values too',
    readings: [
      ['exact', 'they are case-sensitive'],
      [
        'ignored',
        'a name matches existing names in any case; an exact match wins, then the first in order; unknown names that differ only in case count once, spelled like the first; titles of pages and names of spaces stay case-sensitive',
        'A name is in another letter case.',
      ],
    ],
  },
  'missing-field': {
    asks: 'Is a text field of a wiki operation, or the list of replacements, required?',
    source: due,
    refusal: 'A field is missing',
    readings: [
      ['400', 'a request without it is refused with 400'],
      [
        'empty',
        'a missing field is an empty string, and a missing list of replacements is empty',
        'The body lacks a field.',
      ],
    ],
  },
  'missing-list': {
    asks: 'Are the lists of users and groups of a wiki operation required?',
    source: due,
    refusal: 'A list is missing',
    readings: [
      ['400', 'a request without them is refused with 400'],
      ['empty', 'a missing list is empty', 'The body lacks a list.'],
    ],
  },
  'missing-parameter': {
    asks: 'Are the query parameters of a wiki operation required?',
    source: due,
    readings: [
      ['400', 'a request without them is refused with 400'],
      ['empty', 'a missing parameter is an empty string or false', 'The query lacks a parameter.'],
      [
        'copy-options',
        'targetSpaceAdmin, removeAdminPermissions and keepPagesMetadata default to an empty string or false; the others are required',
        'The query lacks a parameter.',
      ],
    ],
  },
  'field-type': {
    asks: 'What happens to a field of the body whose value has the wrong type?',
    source: '2 gives each field one type, and 7 gives no status for another',
    readings: [
      ['400', 'the request is refused with 400'],
      [
        'scalars',
        'numbers and booleans are converted to strings, and strings of digits to numbers, also in lists; other values are refused with 400',
        'A field of the body has a value of another type.',
      ],
      [
        'all',
        'as under scalars, and a single string or number counts as a list of one',
        'A field of the body has a value of another type.',
      ],
    ],
  },
  'null-field': {
    asks: 'What does null mean as the value of a field?',
    source: '2 gives each field a type and does not speak of null',
    readings: [
      ['400', 'null has the wrong type, and the request is refused with 400'],
      ['absent', 'null is the same as a missing field', 'A field of the body is null.'],
    ],
  },
  'unknown-field': {
    asks: 'What happens to a field of a wiki operation that the document does not name?',
    source: '2 lists the fields and does not say that there are no others',
    refusal: 'There is an unknown field',
    readings: [
      ['ignore', 'the field is ignored', 'The body has a field that the operation does not have.'],
      ['400', 'the request is refused with 400'],
    ],
  },
  'ppf-unknown-field': {
    asks: 'What happens to a field of a push or pull that the document does not name?',
    source: '2 lists the fields and does not say that there are no others',
    refusal: 'There is an unknown field',
    readings: [
      ['ignore', 'the field is ignored', 'The body has a field that the operation does not have.'],
      ['400', 'the request is refused with 400'],
    ],
  },
  'unknown-parameter': {
    asks: 'What happens to a query parameter that the document does not name?',
    source: '4.4 lists the parameters and does not say that there are no others',
    refusal: 'There is an unknown query parameter',
    readings: [
      ['ignore', 'the parameter is ignored', 'The query has a parameter that the operation does not have.'],
      ['400', 'the request is refused with 400'],
    ],
  },
  'repeated-parameter': {
    asks: 'Which value of a repeated query parameter counts?',
    source: '4.4 lists each parameter once',
    refusal: 'A query parameter is repeated',
    readings: [
      ['first', 'the first value counts', 'The query has a parameter several times.'],
      ['last', 'the last value counts', 'The query has a parameter several times.'],
      ['400', 'the request is refused with 400'],
    ],
  },
  'query-boolean': {
    asks: 'How is a boolean written in a query?',
    source: '4.4 Copy space query parameters, type boolean',
    readings: [
      ['strict', 'true or false, in any case; anything else is refused with 400'],
      [
        'lenient',
        'true, in any case, is true; anything else is false',
        'A boolean in the query is neither true nor false.',
      ],
    ],
  },
  'list-limit': {
    asks: 'How many elements may one list have?',
    source: '8 "Limits (... maximum array lengths): not shown"',
    readings: [
      ['none', 'any number of elements; a list of more than 10000 elements is refused with 413 under either reading'],
      ['1000', 'at most 1000 elements; a longer list is refused with 400'],
    ],
  },
  'content-type': {
    asks: 'Is a JSON body accepted with another content type, or with none?',
    source: '2 "All bodies are JSON (Content-Type application/json)"',
    readings: [
      [
        'lenient',
        'JSON is accepted with any content type, or with none',
        'The body has no Content-Type application/json.',
      ],
      ['415', 'the request is refused with 415'],
    ],
  },
  'browser-post': {
    asks: 'Is a POST accepted from a browser or an allowed origin without the header X-Atlassian-Token: no-check?',
    source:
      '5 "Authentication and authorization for the wiki extension operations: not shown"; 5 "Authentication scheme for push and pull: not shown"',
    readings: [
      ['accept', 'the POST is accepted', 'A POST of a browser lacks the header X-Atlassian-Token: no-check.'],
      [
        '403',
        'the POST is refused with 403, "XSRF check failed", if its Origin is another server, or if its User-Agent is a browser and its Origin is not this server',
      ],
    ],
  },
  'error-text': {
    asks: 'How detailed are error messages?',
    source: '7 gives statuses and conditions, and no text of an error',
    readings: [
      ['detailed', 'they name the error, its place and the expected value'],
      ['other', 'they name only the kind of error'],
    ],
  },
} as const satisfies Record<string, Gap>;
