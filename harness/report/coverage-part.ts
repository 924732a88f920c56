// Coverage of a run for its reports: a line for all formats, and a table for some.
import { counted } from '../../server/derive/text/counted.js';
import type { Coverage } from '../../server/engine/journal/coverage.js';
import { operations, rules } from '../../server/operations/catalog/catalog.js';
import { gapIds } from '../../server/operations/gaps/gaps.js';
import type { Report } from './report.js';

/** Additional properties and parts of a report. */
export function coverageIn(coverage: Coverage): Required<Pick<Report, 'properties' | 'parts'>> {
  const met = [
    { what: 'operations', all: operations.map(({ id }) => id), found: coverage.operations, lacking: 'Never called' },
    { what: 'rules', all: Object.keys(rules), found: coverage.rules, lacking: 'Rules not covered' },
    { what: 'gaps', all: gapIds, found: coverage.gaps, lacking: 'Gaps not covered' },
  ].map(({ what, all, found, lacking }) => {
    const missing = all.filter(id => !Object.hasOwn(found, id));
    const counts = `${all.length - missing.length} of ${all.length} ${what}`;
    return { counts, says: missing.length === 0 ? [] : [`${lacking}: ${missing.join(', ')}.`] };
  });
  const { requests } = coverage;
  const summary = `${counted(requests, 'request')}, ${met.map(({ counts }) => counts).join(', ')}`;
  const rows = Object.entries(coverage.gaps).flatMap(([gap, readings]) =>
    Object.entries(readings).map(([reading, { requests: count, pinned }]) => [
      gap,
      reading,
      String(count),
      String(pinned),
    ]),
  );
  return {
    properties: { coverage: summary },
    parts: [
      {
        title: 'What the requests have covered',
        says: [`${summary}.`, ...met.flatMap(({ says }) => says)],
        heads: ['Gap', 'Reading', 'Requests', 'Pinned'],
        rows,
      },
    ],
  };
}
