// The OpenAPI document of the two APIs under given readings, derived from operations, refusals and gaps.
import { addressRules, prefixes } from '../../operations/address.js';
import { endpoints, type OperationPath } from '../../operations/catalog/bindings.js';
import { operations } from '../../operations/catalog/catalog.js';
import type { Rules } from '../../operations/document/rule.js';
import { expandRules } from '../../operations/expand.js';
import { defaultReadings, type Readings } from '../../operations/gaps/gaps.js';
import type { Family } from '../../operations/operation.js';
import { resourceName } from '../reach.js';
import { baseUrl, DEFAULT_URL, type ServedAt } from '../served-at.js';
import type { DocumentPart } from './named-schemas.js';
import { componentsUnder } from './openapi-components.js';
import { type About, openapiDocument, type ServedEndpoint } from './openapi-document.js';
import { servedOperation } from './openapi-operation.js';

/** Descriptions of the resources. */
const tags: Readonly<Record<string, string>> = {
  groups: 'Wiki extension: members of groups.',
  permissions: 'Wiki extension: permissions to edit and view a page.',
  spaces: 'Wiki extension: sidebar links, copies of spaces, and the text of pages.',
  ppf: 'Push and pull of favourite filters and dashboards.',
};

/** The document. `version` is that of the product that makes it; its `servers` begin at `at`. */
export function openapiOf(
  readings: Readings = defaultReadings,
  version = 'latest',
  at: ServedAt = { root: DEFAULT_URL },
): DocumentPart {
  const about: About = {
    title: 'Wiki extension API and push/pull API',
    version,
    summary: 'The two APIs that cwx-fake imitates, as it serves them.',
    description: introduction(),
    servers: servers(readings, at),
    tags: [...new Set(operations.map(resourceName))].map(name => ({ name, description: tags[name] ?? name })),
    components: componentsUnder(readings),
    more: { 'x-readings': readings },
  };
  return openapiDocument(
    about,
    endpoints.flatMap(shared => servedAtPath(shared, readings)),
  );
}

/** The prefix of a family's paths in the document: the canonical one, or the only one that the readings serve. */
function documentedPrefix(family: Family, readings: Readings): string {
  const reading = family === 'wiki' && readings['wiki-prefix'] !== 'any' ? readings['wiki-prefix'] : 'rest';
  return prefixes[family].find(([name]) => name === reading)?.[1] ?? '';
}

function introduction(): string {
  return [
    'Every response is based on a rule, which is a statement of the source document, or on a reading of a gap, which is a question',
    'that it leaves open. Each operation lists both. `x-readings` has the readings that this document describes; a request can',
    'choose others with the header `X-Fake-Reading`.',
    '',
    'Rules for all operations:',
    '',
    ...Object.entries<Rules[string]>({ ...addressRules, ...expandRules }).map(
      ([id, { says, source }]) => `- \`${id}\`: ${says} (${source})`,
    ),
  ].join('\n');
}

function servers(readings: Readings, at: ServedAt): DocumentPart[] {
  const context = readings['context-path'];
  const literal = context === 'any' || context === 'none' ? '' : context;
  const plain = {
    url: `${baseUrl(at)}${literal}`,
    description: literal === '' ? 'Without a context path.' : 'With the context path.',
  };
  const any = {
    url: `${baseUrl(at)}/{context}`,
    description: 'With a context path of any name.',
    variables: { context: { default: 'wiki', description: 'One segment.' } },
  };
  const sandboxed = {
    url: `${at.root}/~{sandbox}${literal}`,
    description: 'A sandbox, named in the path.',
    variables: { sandbox: { default: at.sandbox ?? 'default', description: '1 to 64 of A-Z a-z 0-9 . _ -' } },
  };
  return [plain, ...(context === 'any' ? [any] : []), sandboxed];
}

/** The operations of a path, then those under the methods of their headings. */
function servedAtPath({ family, path, operations: sharing }: OperationPath, readings: Readings): ServedEndpoint[] {
  const address = `${documentedPrefix(family, readings)}${path}`;
  const headed = sharing.flatMap(operation => {
    const { heading } = operation;
    if (heading === undefined || readings[heading.gap] !== heading.reading) return [];
    return [servedOperation(operation, address, readings, heading)];
  });
  return [...sharing.map(operation => servedOperation(operation, address, readings)), ...headed];
}
