// The guide for writers of clients: input and responses of each operation, and how to choose readings. Its commands are examples of operations, which a
// test sends.
import { operations } from '../../operations/catalog/catalog.js';
import { type GapId, gapIds } from '../../operations/gaps/gaps.js';
import type { Family, Operation } from '../../operations/operation.js';
import { addUsers } from '../../operations/wiki/groups.js';
import { gapsOf } from '../reach.js';
import { quotedIfDue, shellQuoted } from '../sending/curl.js';
import { baseUrl, DEFAULT_URL, type ServedAt } from '../served-at.js';
import { fenced, markdownTable } from '../text/markdown-syntax.js';
import { gapTable, operationGuide } from './guide-operation.js';

const WIKI = '/rest/cwxapiextension/latest';

/** The guide as Markdown, for a fake at an address. */
export function guide(at: ServedAt = { root: DEFAULT_URL }): string {
  return [
    '# Guide for clients',
    '',
    ...overview,
    ...opening(at),
    ...addresses,
    ...callers,
    ...responses,
    ...choosing(baseUrl(at)),
    ...sandboxes(at.root),
    ...family('wiki', 'The wiki extension', baseUrl(at)),
    ...family('ppf', 'Push and pull', baseUrl(at)),
  ].join('\n');
}

/** The table of all operations. */
const overview = [
  ...markdownTable(
    ['operation', 'method and path', 'what it does'],
    operations.map(({ id, method, path, summary }) => [id, `${method} ${path.slice(1)}`, summary]),
  ),
  '',
];

/** The guide to one operation, with all its gaps. */
export function guideTo(operation: Operation, at: ServedAt = { root: DEFAULT_URL }): string {
  return operationGuide(operation, gapsOf(operation), baseUrl(at));
}

function opening({ root, sandbox = 'default' }: ServedAt): string[] {
  return [
    'The commands below work on a newly started server (`cwx-fake serve`, world `small-team`), all in order or each on its own.',
    'To start over, reset the sandbox (add `-H "X-Fake-Token: …"` if the server requires its control token):',
    '',
    ...fenced('sh', `curl -X POST ${quotedIfDue(`${root}/_fake/v1/sandboxes/${sandbox}/reset`)}`),
    '',
  ];
}

const addresses = [
  '## Addresses',
  '',
  `The wiki extension is below \`${WIKI}\`, push and pull below \`/rest/cwx-ppf/latest\`. A context path of one segment, with any`,
  'name, can precede either: `/wiki/rest/cwx-ppf/latest/push`. Paths and names are case-sensitive. The refusal of an unknown path',
  'names the nearest known one.',
  '',
];

const callers = [
  '## Callers',
  '',
  'Send a user and password (`-u admin:admin`) or a personal access token (`-H "Authorization: Bearer admin-token"`) from the world.',
  'For a user without a password, any password is accepted. A request without credentials is anonymous: the wiki extension accepts it',
  'unless `wiki-auth` requires a user; push and pull refuse it. Wrong credentials are always refused.',
  '',
];

const responses = [
  '## Headers and refusals',
  '',
  '`X-Fake-Operation` names the operation, `X-Fake-Rules` the rules that applied, `X-Fake-Gaps` the readings that decided, as in',
  '`unknown-user=404`, and `X-Fake-Sandbox` the sandbox. Do not rely on behaviour that only a reading supports: the real service may',
  'follow another reading. A response that a fault affected has the header `X-Fake-Fault`.',
  '',
  'A refusal by the wiki extension has the body `{"statusCode", "message", "reason"}`; one by push and pull has',
  '`{"errorMessages": [], "errors": {}}`. The gaps `wiki-error-body` and `ppf-error-body` offer other shapes. The message says what was',
  'wrong, where, and what was expected. A push or pull that partly succeeds returns 200 with `success` false and `messages`.',
  '',
];

/** The example of add-users that a reading of unknown-user turns into a 400. */
const unknownUser = addUsers.examples.find(({ response }) => response.status === 404);
const asBadRequest = { statusCode: 400, reason: 'Bad Request' };

const choosing = (base: string) => [
  '## Choosing a reading',
  '',
  'For one request, in a header:',
  '',
  ...fenced(
    'sh',
    [
      `curl -i -X POST ${shellQuoted(`${base}${WIKI}/groups/add-users`)}`,
      '-u admin:admin',
      "-H 'X-Fake-Reading: unknown-user=400'",
      "-H 'Content-Type: application/json'",
      `-d '${JSON.stringify(unknownUser?.body)}'`,
    ].join(' \\\n  '),
  ),
  '',
  'Response `400`:',
  '',
  ...fenced('json', JSON.stringify(Object.assign({}, unknownUser?.response.body, asBadRequest))),
  '',
  'For a sandbox, use `PUT /_fake/v1/sandboxes/{name}/readings`; for a scenario, `readings:` in its file; for a server, the repeatable',
  'flag `--reading unknown-user=400`.',
  '',
];

const sandboxes = (root: string) => [
  '## Sandboxes',
  '',
  'Each sandbox has its own world, readings, clock, faults and journal. It is created when a request first names it, in the path or in',
  'a header; the path takes precedence. A name has 1 to 64 characters of `A-Z a-z 0-9 . _ -`. Without a name, the sandbox is `default`.',
  '',
  ...fenced(
    'sh',
    `curl -i -X POST ${shellQuoted(`${root}/~test-42${WIKI}/spaces/isUnique?spaceKey=ds&spaceName=Other`)}`,
  ),
  '',
  'Response `200`:',
  '',
  ...fenced('json', 'false'),
  '',
  ...fenced(
    'sh',
    `curl -i -X POST ${shellQuoted(`${root}${WIKI}/spaces/isUnique?spaceKey=MARS&spaceName=Mars`)} \\\n  -H 'X-Fake-Sandbox: test-42'`,
  ),
  '',
  'Response `200`:',
  '',
  ...fenced('json', 'true'),
  '',
];

function family(name: Family, title: string, base: string): string[] {
  const members = operations.filter(operation => operation.family === name);
  const shared = gapIds.filter(id => members.every(operation => gapsOf(operation).includes(id)));
  const isOwn = (id: GapId) => !shared.includes(id);
  return [
    `## ${title}`,
    '',
    `Caller: ${members[0]?.access.says ?? ''}`,
    '',
    'Gaps that concern all of its operations, with the default reading in bold:',
    '',
    ...gapTable(shared),
    '',
    ...members.map(operation => operationGuide(operation, gapsOf(operation).filter(isOwn), base)),
  ];
}
