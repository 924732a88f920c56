// Coverage as Markdown: what requests have covered, and what not.

import type { Coverage } from '../../engine/journal/coverage.js';
import { operations, rules } from '../../operations/catalog/catalog.js';
import { gapIds } from '../../operations/gaps/gaps.js';
import { counted } from './counted.js';
import { code, markdownTable } from './markdown-syntax.js';

export function coverageMarkdown(coverage: Coverage): string {
  const { requests } = coverage;
  const parts = [
    ['# Coverage', '', `${counted(requests, 'request')}.`],
    operationsPart(coverage),
    rulesPart(coverage),
    gapsPart(coverage),
    refusalsPart(coverage),
  ];
  return parts.map(lines => `${lines.join('\n')}\n`).join('\n');
}

function operationsPart({ operations: met }: Coverage): string[] {
  const ids = operations.map(({ id }) => id);
  const rows = Object.entries(met).map(([id, { requests, injected, statuses }]) => [
    id === 'none' ? 'no operation' : code(id),
    String(requests),
    [
      ...Object.entries(statuses).map(([status, count]) => `${status}: ${count}`),
      ...(injected > 0 ? [`by a fault: ${injected}`] : []),
    ].join(', '),
  ]);
  return part('Operations', ids, Object.keys(met), ['Operation', 'Requests', 'Responses'], rows, 'Never called');
}

function rulesPart({ rules: met }: Coverage): string[] {
  const rows = Object.entries(met).map(([id, requests]) => [code(id), String(requests)]);
  return part('Rules', Object.keys(rules), Object.keys(met), ['Rule', 'Requests'], rows, 'Not covered');
}

function gapsPart({ gaps }: Coverage): string[] {
  const rows = Object.entries(gaps).flatMap(([gap, readings]) =>
    Object.entries(readings).map(([reading, { requests, pinned }]) => [
      code(gap),
      code(reading),
      String(requests),
      pinned === 0 ? 'no' : pinned === requests ? 'yes' : `${pinned} of ${requests}`,
    ]),
  );
  return part('Gaps', gapIds, Object.keys(gaps), ['Gap', 'Reading', 'Requests', 'Pinned'], rows, 'Not covered');
}

function refusalsPart({ refusals }: Coverage): string[] {
  const rows = Object.entries(refusals).map(([id, requests]) => [code(id), String(requests)]);
  return ['## Refusals', '', ...(rows.length === 0 ? ['None.'] : markdownTable(['Refusal', 'Requests'], rows))];
}

function part(
  title: string,
  all: readonly string[],
  met: readonly string[],
  heads: readonly string[],
  rows: ReadonlyArray<readonly string[]>,
  lacking: string,
): string[] {
  const missing = all.filter(id => !met.includes(id));
  return [
    `## ${title}: ${all.length - missing.length} of ${all.length}`,
    ...(rows.length === 0 ? [] : ['', ...markdownTable(heads, rows)]),
    ...(missing.length === 0 ? [] : ['', `${lacking}: ${missing.map(code).join(', ')}.`]),
  ];
}
