// The stage `query`: the parameters of an operation from those sent, settled by the readings and each as its schema types it.
import { isResource } from '../../operations/hosts/resource.js';
import { quoted } from '../../operations/lookups.js';
import type { Operation } from '../../operations/operation.js';
import { absentValue } from './fields.js';
import { readHostQuery } from './host-stages.js';
import type { Query } from './request.js';
import { noOperation, type OperationProgress, stage } from './stage.js';

const takesQuery = ({ query }: Operation) => query !== undefined;
const takesBoolean = ({ query = {} }: Operation) => Object.values(query).some(({ json }) => json.type === 'boolean');

export const query = stage({
  name: 'query',
  steps: [
    {
      name: 'query',
      concerns: takesQuery,
      refusals: ['query-undecodable', 'missing-field'],
      gaps: ['missing-field'],
      isSpecific: true,
    },
    { name: 'query-values', concerns: takesBoolean, refusals: ['query-shape'], isSpecific: true },
    { name: 'query-of-host', concerns: noOperation, refusals: ['host-bad-request'] },
  ],
  run(progress: OperationProgress, given) {
    const { operation, request } = progress;
    if (isResource(operation)) return readHostQuery(progress, operation, given);
    const { query: properties } = operation;
    if (properties === undefined) return undefined;
    const { pairs, undecodable } = request.query;
    if (undecodable !== undefined) {
      return given.refuse(
        'query-undecodable',
        `${quoted(undecodable)} in the query has a percent sign that is not followed by the hexadecimal digits of UTF-8 text.`,
      );
    }
    const names = Object.keys(properties);
    const missing = names.filter(name => firstOf(pairs, name) === undefined);
    if (missing.length > 0 && given.reading('missing-field') === '400') {
      return given.refuse('missing-field', `The query lacks ${missing.join(', ')}; it takes ${names.join(', ')}.`);
    }
    const values: Record<string, unknown> = {};
    for (const name in properties) {
      const { json = {} } = properties[name] ?? {};
      const text = firstOf(pairs, name);
      if (text === undefined) values[name] = absentValue(json);
      else if (json.type !== 'boolean') values[name] = text;
      else if (/^(true|false)$/i.test(text)) values[name] = text.toLowerCase() === 'true';
      else return given.refuse('query-shape', `${name} is ${quoted(text)}: it must be true or false.`);
    }
    progress.query = values;
    return undefined;
  },
});

/** The value of a parameter; of a repeated one the first counts. */
function firstOf(pairs: Query['pairs'], name: string): string | undefined {
  for (const pair of pairs) if (pair[0] === name) return pair[1];
  return undefined;
}
