// The statements of the document as a page: each with the rules and gaps that rest on it, and what comes from elsewhere with its source.
import { code, markdownTable } from '../../server/derive/text/markdown-syntax.js';
import type { Section, Statement } from '../../server/operations/document/statement.js';
import { headingOf, sections, statements } from '../../server/operations/document/statements.js';
import { page } from './page.js';

const WIKI = 'https://documentation.catworkx.com/crestapi/latest/rest-api-reference';
const PUSH_PULL =
  'https://documentation.catworkx.com/ppf/latest/provided-features/push-and-pull-filters-and-dashboards-via-rest-api-for-developers';
const SERVICE = 'https://documentation.catworkx.com/ppf/latest/configure-app/push-service';
const SISTER = 'https://documentation.catworkx.com/ipubcloud/how-to/how-to-trigger-an-operation-via-the-rest-api';
const CONFLUENCE = 'https://developer.atlassian.com/server/confluence/rest/v931/';
const JIRA = 'https://developer.atlassian.com/server/jira/platform/rest/v11000/';
const CREDENTIALS = 'https://developer.atlassian.com/server/jira/platform/basic-authentication';

/** What the fake has from public pages of the vendor, Confluence and Jira. The document says nothing of it. */
const elsewhere: ReadonlyArray<readonly [what: string, from: string, url: string]> = [
  [
    'The wording `Could not find user with name bob`; those for groups, filters and dashboards are made after it.',
    'vendor, push and pull',
    PUSH_PULL,
  ],
  [
    'Users `alice` and `bob`, groups `jira-core-users` and `customers`, filters 10500 and 10600, dashboards 11000 and 11100 of the examples.',
    'vendor, push and pull',
    PUSH_PULL,
  ],
  [
    'The group `team-members`, the users `demouser1` and `demouser2`, the space `ds` of the examples.',
    'vendor, wiki',
    WIKI,
  ],
  [
    'That pushing makes favourites (`ppf-effect=push-adds`), and only of what a user may see (`ppf-invisible-item=message`).',
    'vendor, scheduled push',
    SERVICE,
  ],
  [
    'The bodies `{"success": …, "messages": […]}` and `{"messages": […]}` of the readings called `messages`.',
    'vendor, a sister product',
    SISTER,
  ],
  [
    'The body `{"statusCode", "message", "reason"}`, 404 for what is not there, 400 for a title that is taken, 204 for a change.',
    'Confluence',
    CONFLUENCE,
  ],
  ['The body `{"errorMessages": [], "errors": {}}`.', 'Jira', JIRA],
  ['401 for a caller who is not known (`ppf-anonymous=401`).', 'Jira', CREDENTIALS],
  [
    'The REST APIs of Confluence and Jira, as [their page](reference/rest-api.md) describes them.',
    'Confluence and Jira',
    CONFLUENCE,
  ],
];

/** What the fake does where the document is silent, and no reading changes. */
const ownChoices: ReadonlyArray<readonly [what: string, does: string, why: string]> = [
  [
    'A body that is not JSON, an object where the body is a list or the other way round, or a value that `field-type` does not convert',
    'It is refused with 400.',
    'The document gives each body and field one type. Another server may answer 422 or 500.',
  ],
  [
    'A push or pull without a body, or with one of no bytes',
    'It counts as `{}`: 400, since users and items are missing.',
    'The document requires users or groups, and filters or dashboards, and says nothing else of the body.',
  ],
  [
    'Replacing text with an empty list of replacements',
    'Done: nothing changes.',
    'No text is wrong, and nothing is left to do.',
  ],
  [
    '`removeAdminPermissions=true` where no other admin is left',
    'The space is created without an admin.',
    'That is what the parameter asks for.',
  ],
  [
    'Permissions of a page that the caller may not view or edit, and a copy of such a page',
    'Page restrictions are ignored: every caller that `wiki-auth` allows can change and copy such pages.',
    'These operations exist to change what callers may do.',
  ],
  [
    'Several faults in one request to the wiki',
    'One refusal, in this order: path, method, credentials, XSRF check, permission, `expand`, query, body, the form of ids, keys, titles, links and texts, empty lists, and last what depends on the world: the named spaces, pages, users and groups, and the permission on a space or a page (`wiki-auth=permitted`).',
    'Any order keeps the document. With `wiki-check-order=validation-first` the permission comes after all that can be checked in the request alone.',
  ],
  [
    'Push and pull without credentials while the add-on is not licensed',
    'The missing credentials decide (`ppf-anonymous`).',
    'Both are refusals. Who asks comes before what the server may do.',
  ],
  [
    'Percent-encoding in the fixed parts of a path, such as `%67roups`',
    'There is no such path: 404.',
    'Fixed parts are compared as they are sent. Parameters in the path are decoded.',
  ],
  [
    'A path that the document does not have, or a method that it does not give to a path',
    '404, or 405 with `Allow`. OPTIONS gets 204 with `Allow`.',
    'These are the statuses of HTTP. The document names none.',
  ],
  [
    'A path or a query whose percent-encoding is not UTF-8, or a body with a content encoding other than gzip, deflate or br',
    '400 for the path and the query, 415 for the body.',
    'The document does not speak of encodings.',
  ],
  [
    'A body of more than 1 MiB, a list of more than 10,000 elements, or a request that concerns too many records',
    '413. [The limits](limits.md) are those of the fake.',
    'The document gives no limits. Up to 10,000 elements `list-limit` decides.',
  ],
  ['A body sent to `isUnique`', 'It is not read.', 'The document gives this operation query parameters only.'],
  [
    'A name or id twice in one list, or a user who is also in a named group',
    'It counts once, also in `messages`.',
    'The second one changes nothing.',
  ],
  [
    'The order of `messages`',
    'Unknown users, groups, filters and dashboards in the order of the request, then each item and user.',
    'The document calls it a list and gives no order.',
  ],
  [
    'How `oldText` is searched',
    'As literal text, from left to right, in exact case.',
    'The document says only that text is replaced.',
  ],
  [
    'A replacement in a page',
    'If it changes the page, the page gets a new version, of now and by the caller. If not, the page keeps its version.',
    'Confluence does so when a page is edited.',
  ],
  [
    'The version of a copied page',
    'It begins at 1, also with `keepPagesMetadata=true`.',
    'Metadata are taken as authors and dates.',
  ],
  [
    '`removeAdminPermissions=true` where the admin is named in restrictions of copied pages',
    'These restrictions stay.',
    'The parameter is about the space.',
  ],
  [
    '`isUnique` for an empty key, or one that `copySpace` would refuse',
    'It is unique.',
    'The question is only whether it is taken.',
  ],
  ['A push or pull for a group without members', 'A success that changes nothing.', 'No recipient is wrong.'],
  [
    'A push of an item that the calling admin may not see',
    'It is pushed. What counts is what the recipients may see.',
    'The document speaks of the recipients only.',
  ],
  [
    'A title or a text of blanks',
    'It is not empty, but the label of a link is with `sidebar-link-form=checked`.',
    'The document does not speak of blanks.',
  ],
  [
    'Blanks around a name, a key, a title or an id',
    'They are a part of it. Only the names in `expand` are trimmed.',
    'Names are compared as they are sent.',
  ],
  [
    'A charset other than UTF-8 in the Content-Type',
    'The body is read as UTF-8. The type is not application/json for `content-type`.',
    'JSON is UTF-8 (RFC 8259).',
  ],
  [
    'The parameter `expand` several times',
    'All of its lists count, also with `repeated-parameter=400`.',
    'Confluence allows that. The gap is about the parameters of an operation.',
  ],
  [
    'A PUT or a DELETE from a browser',
    'The XSRF check (`browser-post`) does not apply.',
    'A page of another origin cannot send one without asking the server first (CORS).',
  ],
  [
    'A field twice in one object of a body, or a byte order mark before the body',
    'The last one counts. The mark is skipped.',
    'RFC 8259 leaves both to the reader.',
  ],
  [
    'Several credentials in one request',
    '`Authorization` counts rather than a cookie, and the first of several. An unknown session cookie counts as no credentials.',
    'Node keeps the first header, and the document does not speak of sessions.',
  ],
  ['An `Accept` header', 'It is not read: responses are JSON.', 'The document has no other format.'],
  [
    'A request from a web page of another origin, or for a foreign host name',
    '403 or 421 from the fake itself, unless `--cors` or `--allow-host` allows it: see [security](security.md).',
    'It protects the machine on which the fake runs.',
  ],
  ['A method that HTTP does not have', '400 from the HTTP parser.', 'Node reads only the registered methods.'],
  [
    'Which favourites `ppf-effect=pushed-only` pulls',
    'Those that a push added, under whatever reading. Those of a fixture or a change of the world belong to the user and stay; a change that lists a pushed one again does not make it so. The JSON of the world does not show the difference, and a scenario cannot say it.',
    'Whether the service remembers what it pushed is not shown.',
  ],
];

export function documentPage(): string {
  return page({
    title: 'The document, statement by statement',
    lead: 'What the source document says, in our own words: all that the fake rests on.',
    body: [
      'The source of the fake is one description of the two interfaces. Each statement has a number: its section and its position there. A **rule** is',
      'a statement that responses must follow; a **gap** is a question that the document leaves open. Statements that cannot be observed over HTTP are marked, with the reason. The',
      '[ledger](reference/ledger.md) has the rules and gaps themselves, `cwx-fake ledger <rule or gap>` prints one. There are',
      `${statements.length} statements.`,
      ...sections.flatMap(sectionLines),
      '',
      '## Not from the document',
      '',
      'Where the document is silent, some defaults of the fake follow public pages of the vendor, Confluence or Jira. No rule depends on them.',
      '',
      ...markdownTable(
        ['what', 'where it is from'],
        elsewhere.map(([what, from, url]) => [what, `[${from}](${url})`]),
      ),
      '',
      '## Choices of the fake',
      '',
      'Some things had to be decided, and no reading changes them. Do not rely on them: another server may differ.',
      '',
      ...markdownTable(
        ['request', 'what the fake does', 'why'],
        ownChoices.map(row => [...row]),
      ),
    ],
    next: '[choose readings for the open questions](how-to/choose-a-reading.md).',
  });
}

function sectionLines(section: Section): string[] {
  return [
    '',
    `## ${headingOf(section)}`,
    '',
    ...markdownTable(['', 'statement', 'rules', 'gaps'], section.statements.map(row)),
  ];
}

function row({ number, says, rules, gaps, unseen }: Statement): string[] {
  if (unseen !== undefined) return [number, says, 'cannot be seen over HTTP', unseen];
  return [number, says, rules.map(code).join(', '), gaps.map(code).join(', ')];
}
