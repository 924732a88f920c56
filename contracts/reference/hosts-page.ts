// The hosts' own resources as a page for people: what each takes, what it shows in full, and what it leaves out. Made from their objects.
import { code } from '../../server/derive/text/markdown-syntax.js';
import { canonicalPrefix } from '../../server/operations/address.js';
import { hostResources } from '../../server/operations/catalog.js';
import type { HostFamily } from '../../server/operations/operation.js';
import { expandableNames } from '../../server/operations/rest-api/expansion.js';
import type { HostResource } from '../../server/operations/rest-api/resource.js';
import { page } from './page.js';

const titles: Readonly<Record<HostFamily, string>> = {
  'wiki-host': 'The wiki',
  'tracker-host': 'The tracker',
  'tracker-auth': 'Sessions of the tracker',
};

export function hostsPage(): string {
  const families = Object.entries(titles).flatMap(([family, title]) => [
    `## ${title}`,
    '',
    ...hostResources.filter(resource => resource.family === family).flatMap(resourceLines),
  ]);
  return page({
    title: "The hosts' own resources",
    lead: 'The read-only resources of Confluence and Jira, to read back what a program has changed.',
    body: [
      'Read-only, but for the session, from the world that the operations change. Answers carry `X-Fake-Source: host`. What the world does not have is left',
      'out of them. `--hosts off` takes all of them away.',
      '',
      ...families.slice(0, -1),
    ],
    next: '[read back](../how-to/read-back.md), with commands to try.',
  });
}

function resourceLines(resource: HostResource): string[] {
  const { id, family, summary, method, path, query = {}, access, expandable, expanded, absent, source } = resource;
  const parameters = Object.entries(query).map(
    ([name, { json }]) => `- ${code(name)}: ${json.description}${defaultOf(json)}`,
  );
  const names = expandable === undefined ? [] : expandableNames(expandable).map(code);
  const unasked = expanded === undefined ? '' : ` Default: ${code(expanded)}.`;
  return [
    `### ${code(`${method} ${canonicalPrefix(family)}${path}`)}`,
    '',
    `${summary} (${code(id)}). Caller: ${lowerFirst(access.says)} [The host's documentation](${source})`,
    '',
    ...parameters,
    ...(names.length === 0 ? [] : [`- ${code('expand')}: ${names.join(', ')}.${unasked}`]),
    ...(parameters.length + names.length === 0 ? [] : ['']),
    `Not modelled: ${absent}`,
    '',
  ];
}

function defaultOf({ default: fallback }: { readonly default?: unknown }): string {
  return fallback === undefined ? '' : ` Default: ${fallback}.`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
