// The statements of the document as a page: each with the rules and gaps that rest on it, and what comes from elsewhere with its source.
import { ownChoices } from '../../server/derive/document/own-choices.js';
import { code, markdownTable } from '../../server/derive/text/markdown-syntax.js';
import { headingOf, sections, statements } from '../../server/operations/catalog/statements.js';
import type { Section, Statement } from '../../server/operations/document/statement.js';
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
        ownChoices.map(({ request, does, why }) => [request, does, why]),
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
