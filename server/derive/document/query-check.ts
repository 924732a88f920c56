// Checks a query against the document: its parameters, each once and of its type.
import { pointerTo } from '../../domain/json/json-pointer.js';
import { nearestName } from '../../engine/nearest.js';
import { queryNames } from '../../engine/request/query-names.js';
import type { Query } from '../../engine/request/request.js';
import { isSameButForCase, quoted } from '../../operations/lookups.js';
import type { Operation } from '../../operations/operation.js';
import type { Violation } from './violation.js';

export function checkQuery({ query: fields = {} }: Operation, query: Query): Violation[] {
  const names = Object.keys(fields);
  const { sent, unknown, missing: absent } = queryNames(query.pairs, fields);
  const missing = absent.filter(name => !unknown.some(other => isSameButForCase(other, name)));
  return [
    ...undecodable(query),
    ...unknown.map(name => unknownParameter(name, names)),
    ...missing.map(missingParameter),
    ...[...sent].flatMap(([name, values]) => repeated(name, values.length)),
    ...Object.entries(fields).flatMap(([name, json]) =>
      json.type === 'boolean' ? notBoolean(name, sent.get(name)?.[0]) : [],
    ),
  ];
}

function undecodable({ undecodable: pair }: Query): Violation[] {
  if (pair === undefined) return [];
  return [{ pointer: '', expected: 'only queries that decode to UTF-8', found: quoted(pair) }];
}

function unknownParameter(name: string, names: readonly string[]): Violation {
  const pointer = pointerTo(name);
  const found = `the parameter ${quoted(name)}`;
  if (name === 'expand')
    return { pointer, expected: 'expand, but does not say on which endpoints', found, gap: 'expand-unknown' };
  const expected = names.length === 0 ? 'no query parameters' : `the parameters ${names.join(', ')}`;
  const nearest = nearestName(name, names);
  if (nearest === undefined) return { pointer, expected, found, gap: 'unknown-parameter' };
  const isCase = isSameButForCase(name, nearest);
  return {
    pointer,
    expected,
    found,
    nearest,
    ...(isCase ? { rule: 'address.case-sensitive' } : { gap: 'unknown-parameter' as const }),
  };
}

function missingParameter(name: string): Violation {
  return {
    pointer: pointerTo(name),
    expected: `the parameter ${quoted(name)}, but does not say whether it is optional`,
    found: 'no such parameter',
    gap: 'missing-parameter',
  };
}

function repeated(name: string, times: number): Violation[] {
  if (times === 1 || name === 'expand') return [];
  return [{ pointer: pointerTo(name), expected: 'it once', found: `this parameter ${times} times` }];
}

/** The document does not say how a boolean is written in a query. */
function notBoolean(name: string, text: string | undefined): Violation[] {
  if (text === undefined || /^(true|false)$/i.test(text)) return [];
  const found = quoted(text);
  return [{ pointer: pointerTo(name), expected: 'true or false', found, gap: 'query-boolean' }];
}
