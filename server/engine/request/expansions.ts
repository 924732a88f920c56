// What `expand` asks for, on any operation. No documented answer has anything to expand, so a gap says what becomes of each name.
import { parseExpand } from '../../operations/expand.js';
import { quoted } from '../../operations/lookups.js';
import type { Provenance, Refused } from '../../operations/operation-context.js';
import type { Query } from './request.js';

const none: readonly string[] = [];

/** The names asked for, as `entity.sub-entity`; or the refusal. */
export function expansions(query: Query, provenance: Provenance): readonly string[] | Refused {
  const values = query.pairs.filter(([name]) => name === 'expand').map(([, value]) => value);
  if (values.length === 0) return none;
  const asked = parseExpand(values);
  if (asked.length === 0) return none;
  provenance.applies('expand.list');
  if (asked.some(steps => steps.length > 1)) provenance.applies('expand.nested');
  if (provenance.reading('expand-unknown') === '400') {
    const names = asked.map(steps =>
      steps.length > 1
        ? `${quoted(steps.slice(1).join('.'))} inside ${quoted(steps[0] ?? '')}`
        : quoted(steps[0] ?? ''),
    );
    return provenance.refuse(
      'unknown-expand',
      `expand asks for ${names.join(', ')}: this answer has nothing to expand.`,
    );
  }
  return asked.map(steps => steps.join('.'));
}
