// The stage `query`: the query parameters of an operation, settled by the readings and typed by their schemas.

import { quoted } from '../../../operations/lookups.js';
import type { Operation } from '../../../operations/operation.js';
import { firstFive } from '../../../operations/provenance.js';
import { isResource } from '../../../operations/rest-api/resource.js';
import type { Fields } from '../../../operations/schema.js';
import { nearestName } from '../../nearest.js';
import type { Query } from '../request.js';
import { everyOperation, noOperation, type OperationProgress, stage } from '../stage.js';
import { absentValue, fieldNames } from './fields.js';
import { readHostQuery } from './host-stages.js';

const takesQuery = ({ query }: Operation) => query !== undefined;
const takesBoolean = ({ query = {} }: Operation) => Object.values(query).some(({ json }) => json.type === 'boolean');
const noFields: Fields = Object.freeze({});

export const query = stage({
  name: 'query',
  steps: [
    {
      name: 'query-names',
      concerns: everyOperation,
      refusals: ['unknown-parameter'],
      gaps: ['unknown-parameter'],
    },
    {
      name: 'query',
      concerns: takesQuery,
      refusals: ['query-undecodable', 'missing-parameter'],
      gaps: ['missing-parameter'],
      isSpecific: true,
    },
    {
      name: 'query-values',
      concerns: takesBoolean,
      refusals: ['query-shape'],
      gaps: ['query-boolean'],
      isSpecific: true,
    },
    { name: 'query-of-host', concerns: noOperation, refusals: ['host-bad-request'] },
  ],
  run(progress: OperationProgress, given) {
    const { operation, request } = progress;
    if (isResource(operation)) return readHostQuery(progress, operation, given);
    const { query: properties = noFields } = operation;
    const { pairs, undecodable } = request.query;
    if (operation.query !== undefined && undecodable !== undefined) {
      return given.refuse(
        'query-undecodable',
        `${quoted(undecodable)} in the query has a percent sign that is not followed by the hexadecimal digits of UTF-8 text.`,
      );
    }
    const unknown = unknownNames(pairs, properties);
    if (unknown.length > 0 && given.reading('unknown-parameter') === '400') {
      const names = Object.keys(properties).join(', ') || 'no parameters but expand';
      return given.refuse('unknown-parameter', `The query has ${fieldNames(unknown)}; it takes ${names}.`);
    }
    if (operation.query === undefined) return undefined;
    const names = Object.keys(properties);
    const missing = names.filter(name => firstOf(pairs, name) === undefined);
    if (missing.length > 0 && given.reading('missing-parameter') === '400') {
      const meant = unknown.flatMap(name => {
        const known = nearestName(name, missing);
        return known === undefined ? [] : [`The query has ${quoted(name)}: did you mean ${quoted(known)}?`];
      });
      const lacking = `The query lacks ${missing.join(', ')}; it takes ${names.join(', ')}.`;
      return given.refuse('missing-parameter', firstFive([lacking, ...meant]));
    }
    const values: Record<string, unknown> = {};
    const wrong: string[] = [];
    for (const name in properties) {
      const { json = {} } = properties[name] ?? {};
      const text = firstOf(pairs, name);
      if (text === undefined) values[name] = absentValue(json);
      else if (json.type !== 'boolean') values[name] = text;
      else if (/^(true|false)$/i.test(text) || given.reading('query-boolean') === 'lenient')
        values[name] = text.toLowerCase() === 'true';
      else wrong.push(`${name} is ${quoted(text)}: it must be true or false.`);
    }
    if (wrong.length > 0) return given.refuse('query-shape', wrong);
    progress.query = values;
    return undefined;
  },
});

/** The parameters that the operation does not have. `expand` is always allowed. */
function unknownNames(pairs: Query['pairs'], properties: Fields): readonly string[] {
  const unknown = new Set<string>();
  for (const [name] of pairs) if (name !== 'expand' && !Object.hasOwn(properties, name)) unknown.add(name);
  return [...unknown];
}

/** The value of a parameter; the first of a repeated one counts. */
function firstOf(pairs: Query['pairs'], name: string): string | undefined {
  for (const pair of pairs) if (pair[0] === name) return pair[1];
  return undefined;
}
