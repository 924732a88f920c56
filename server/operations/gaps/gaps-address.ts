// The gaps about paths and methods.
import type { Gap } from './gap.js';

export const addressGaps = {
  'wiki-prefix': {
    asks: 'Below which prefixes, besides the canonical one, is the wiki extension served?',
    source: '4.1 "Exact prefix placing this resource relative to the REST root: not shown"',
    readings: [
      ['any', 'it is served below /rest/cwxapiextension, /rest/api/cwxapiextension and /cwxapiextension'],
      ['rest', 'it is served below /rest/cwxapiextension only'],
      ['rest-api', 'it is served below /rest/api/cwxapiextension only'],
      ['bare', 'it is served below /cwxapiextension only'],
    ],
  },
  'context-path': {
    asks: 'Which context path does the wiki have?',
    source: '4.1 gives a form with a context path and one without',
    readings: [
      ['any', 'the context path is one segment of any name, or none'],
      ['none', 'there is no context path'],
    ],
    open: { form: 'a literal path such as /wiki', pattern: /^(\/[A-Za-z0-9._-]+)+$/ },
  },
  'ppf-context-path': {
    asks: 'Are push and pull served below a context path?',
    source: '4.5 gives "{base_url}/rest/cwx-ppf/latest/push", and 4.1 defines the base URL as scheme, host and port',
    readings: [
      ['any', 'they are served below one segment of any name, or none'],
      ['none', 'a path with a context path does not exist'],
    ],
  },
  'version-segment': {
    asks: 'Does the server accept a version number in place of latest?',
    source: '9 "Other version identifiers ...: not shown"',
    readings: [
      ['latest', 'a path with a version number does not exist'],
      ['any', 'any version number is accepted, such as 1.0', 'The path has a version number instead of latest.'],
    ],
  },
  'trailing-slash': {
    asks: 'Does the server accept a path that ends with a slash?',
    source: '4.2 to 4.5 give the paths without one',
    readings: [
      ['404', 'a path that ends with a slash does not exist'],
      ['accept', 'the slash is ignored', 'The path ends with a slash.'],
    ],
  },
  'heading-methods': {
    asks: 'Does the server also accept the method in a heading, if only one operation claims it?',
    source: '4.3 "may additionally accept the method in the heading column"',
    readings: [
      ['unambiguous', 'on permissions/edit and permissions/all, POST removes the users and groups'],
      ['none', 'only the method in the request line is accepted'],
    ],
  },
  'view-post': {
    asks: 'What does POST on permissions/view do, given that the headings use it for both adding and removing?',
    source: '4.3, the headings of both view operations',
    readings: [
      ['reject', 'it is refused with 405'],
      ['add', 'it adds the users and groups'],
      ['remove', 'it removes the users and groups'],
    ],
  },
  'all-group-field': {
    asks: 'Does removing all permissions accept `group` as another name for `groups`?',
    source: '4.3 "names its array group in one place and groups in the example body"',
    readings: [
      ['groups-or-group', 'group is another name for groups, and both together are one list'],
      ['groups-only', 'group is an unknown field'],
    ],
  },
} as const satisfies Record<string, Gap>;
