// The operations of a family as a page: what each takes and answers, and the rules and gaps it is on.

import { gapsOf } from '../../server/derive/reach.js';
import { code, markdownTable } from '../../server/derive/text/markdown-syntax.js';
import { canonicalPrefix } from '../../server/operations/address.js';
import { operations } from '../../server/operations/catalog/catalog.js';
import { page } from './page.js';

type Operation = (typeof operations)[number];
interface Place {
  readonly title: string;
  readonly file: string;
}

/** The families, each with its page. */
export const families: Readonly<Record<Operation['family'], Place>> = {
  wiki: { title: 'Operations of the wiki extension', file: 'operations-wiki.md' },
  ppf: { title: 'Operations of push and pull', file: 'operations-ppf.md' },
};

export function operationsPage(family: Operation['family']): string {
  const members = operations.filter(operation => operation.family === family);
  return page({
    title: families[family].title,
    lead: 'The operations, for client developers.',
    body: [
      'Paths are shown with one prefix; the gaps `wiki-prefix` and `context-path` say which others are served. `cwx-fake guide` prints the same at',
      'length, with a `curl` for each example, and `cwx-fake openapi` prints the OpenAPI document.',
      ...members.flatMap(section),
    ],
    next: 'the [ledger](ledger.md), for what each rule and gap says.',
  });
}

function section(operation: Operation): string[] {
  const [example] = operation.examples;
  return [
    '',
    `## ${operation.id}`,
    '',
    `${operation.summary}. ${code(`${operation.method} ${pathOf(operation)}`)}`,
    '',
    ...(example === undefined ? [] : [...shown(operation, example), '']),
    `Rules: ${Object.keys(operation.rules).map(code).join(', ')}.`,
    '',
    `Gaps: ${gapsOf(operation).map(code).join(', ')}.`,
  ];
}

function shown(operation: Operation, { params, query, body, response }: Operation['examples'][number]): string[] {
  const path = Object.entries(params ?? {}).reduce<string>(
    (text, [name, value]) => text.replace(`{${name}}`, value),
    pathOf(operation),
  );
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
  const rows = [
    ['request', code(`${operation.method} ${path}${search}`)],
    ...(body === undefined ? [] : [['body', code(JSON.stringify(body))]]),
    [
      'response',
      code([response.status, ...(response.body === undefined ? [] : [JSON.stringify(response.body)])].join(' ')),
    ],
  ];
  return markdownTable(['for instance', ''], rows);
}

function pathOf({ family, path }: Operation): string {
  return canonicalPrefix(family) + path;
}
