// The reference page of the REST APIs of Confluence and Jira: parameters, expansions and omissions of each resource, from their objects.
import { code } from '../../server/derive/text/markdown-syntax.js';
import { canonicalPrefix } from '../../server/operations/address.js';
import { restResources } from '../../server/operations/catalog/catalog.js';
import type { ResourceFamily } from '../../server/operations/operation.js';
import { expandableNames } from '../../server/operations/rest-api/expansion.js';
import type { RestResource } from '../../server/operations/rest-api/resource.js';
import type { Schema } from '../../server/operations/schema.js';
import { page } from './page.js';

const titles: Readonly<Record<ResourceFamily, string>> = {
  confluence: 'Confluence',
  jira: 'Jira',
  'jira-auth': 'Sessions of Jira',
};

export function restApiPage(): string {
  const families = Object.entries(titles).flatMap(([family, title]) => [
    `## ${title}`,
    '',
    ...restResources.filter(resource => resource.family === family).flatMap(resourceLines),
  ]);
  return page({
    title: 'REST APIs of Confluence and Jira',
    lead: 'The read-only resources of Confluence and Jira, to read back what a program has changed.',
    body: [
      'Read-only except for the session, from the world that the operations change. Responses have the header `X-Fake-Source: confluence` or `jira`. Data that the world does',
      'not have is omitted. With `--rest-api off`, none of them is served.',
      '',
      ...families.slice(0, -1),
    ],
    next: '[read back](../how-to/read-back.md), with commands to try.',
  });
}

function resourceLines(resource: RestResource): string[] {
  const { id, family, summary, method, path, query = {}, access, expandable, expanded, absent, source } = resource;
  const parameters = Object.entries(query).map(
    ([name, json]) => `- ${code(name)}: ${json.description}${defaultOf(json)}`,
  );
  const names = expandable === undefined ? [] : expandableNames(expandable).map(code);
  const ignoredCaller = expanded === undefined ? '' : ` Default: ${code(expanded)}.`;
  return [
    `### ${code(`${method} ${canonicalPrefix(family)}${path}`)}`,
    '',
    `${summary} (${code(id)}). Caller: ${access.says} [The product's documentation](${source})`,
    '',
    ...parameters,
    ...(names.length === 0 ? [] : [`- ${code('expand')}: ${names.join(', ')}.${ignoredCaller}`]),
    ...(parameters.length + names.length === 0 ? [] : ['']),
    `Not modelled: ${absent}`,
    '',
  ];
}

function defaultOf({ default: fallback }: Schema<unknown>): string {
  return fallback === undefined ? '' : ` Default: ${fallback}.`;
}
