// The stage `query`: the parameters of an operation from those sent, settled by the readings and each as its schema types it.
import { isResource } from '../../../operations/hosts/resource.js';
import { quoted } from '../../../operations/lookups.js';
import type { Operation } from '../../../operations/operation.js';
import type { Fields } from '../../../operations/schema.js';
import type { Query } from '../request.js';
import { everyOperation, noOperation, type OperationProgress, stage } from '../stage.js';
import { absentValue } from './fields.js';
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
    const unknown = unknownName(pairs, properties);
    if (unknown !== undefined && given.reading('unknown-parameter') === '400') {
      const names = Object.keys(properties).join(', ') || 'no parameters but expand';
      return given.refuse('unknown-parameter', `The query has ${quoted(unknown)}; it takes ${names}.`);
    }
    if (operation.query === undefined) return undefined;
    const names = Object.keys(properties);
    const missing = names.filter(name => firstOf(pairs, name) === undefined);
    if (missing.length > 0 && given.reading('missing-parameter') === '400') {
      return given.refuse('missing-parameter', `The query lacks ${missing.join(', ')}; it takes ${names.join(', ')}.`);
    }
    const values: Record<string, unknown> = {};
    for (const name in properties) {
      const { json = {} } = properties[name] ?? {};
      const text = firstOf(pairs, name);
      if (text === undefined) values[name] = absentValue(json);
      else if (json.type !== 'boolean') values[name] = text;
      else if (/^(true|false)$/i.test(text) || given.reading('query-boolean') === 'lenient')
        values[name] = text.toLowerCase() === 'true';
      else return given.refuse('query-shape', `${name} is ${quoted(text)}: it must be true or false.`);
    }
    progress.query = values;
    return undefined;
  },
});

/** The first parameter that the operation does not have. Any may have `expand`. */
function unknownName(pairs: Query['pairs'], properties: Fields): string | undefined {
  for (const [name] of pairs) if (name !== 'expand' && !Object.hasOwn(properties, name)) return name;
  return undefined;
}

/** The value of a parameter; of a repeated one the first counts. */
function firstOf(pairs: Query['pairs'], name: string): string | undefined {
  for (const pair of pairs) if (pair[0] === name) return pair[1];
  return undefined;
}
