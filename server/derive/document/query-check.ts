// Whether a query is what the document lists: its parameters, each once and of its type. Knows no readings.
import { nearestName } from '../../engine/nearest.js';
import type { Query } from '../../engine/request/request.js';
import { isSameButForCase, quoted } from '../../operations/lookups.js';
import type { Operation } from '../../operations/operation.js';
import { type Departure, pointerTo } from './violation.js';

export function checkQuery({ query: fields = {} }: Operation, query: Query): Departure[] {
  const names = Object.keys(fields);
  const sent = new Map<string, string[]>();
  for (const [name, value] of query.pairs) sent.set(name, [...(sent.get(name) ?? []), value]);
  const unknown = [...sent.keys()].filter(name => !names.includes(name));
  const missing = names.filter(name => !sent.has(name) && !unknown.some(other => isSameButForCase(other, name)));
  return [
    ...undecodable(query),
    ...unknown.map(name => unknownParameter(name, names)),
    ...missing.map(missingParameter),
    ...[...sent].flatMap(([name, values]) => repeated(name, values.length)),
    ...Object.entries(fields).flatMap(([name, { json }]) =>
      json.type === 'boolean' ? notBoolean(name, sent.get(name)?.[0]) : [],
    ),
  ];
}

function undecodable({ undecodable: pair }: Query): Departure[] {
  if (pair === undefined) return [];
  return [{ pointer: '', expected: 'queries whose percent signs stand for UTF-8 text', found: quoted(pair) }];
}

function unknownParameter(name: string, names: readonly string[]): Departure {
  const pointer = pointerTo(name);
  const found = `the parameter ${quoted(name)}`;
  if (name === 'expand')
    return { pointer, expected: 'expand, without saying on which endpoints', found, gap: 'expand-unknown' };
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

function missingParameter(name: string): Departure {
  return {
    pointer: pointerTo(name),
    expected: `the parameter ${quoted(name)}, without saying whether it may be left out`,
    found: 'no such parameter',
    gap: 'missing-parameter',
  };
}

function repeated(name: string, times: number): Departure[] {
  if (times === 1 || name === 'expand') return [];
  return [{ pointer: pointerTo(name), expected: 'it once', found: `the parameter ${times} times` }];
}

/** In a query all is text, and the document says nothing of how a boolean is written. */
function notBoolean(name: string, text: string | undefined): Departure[] {
  if (text === undefined || /^(true|false)$/i.test(text)) return [];
  const found = `the text ${quoted(text)}`;
  return [{ pointer: pointerTo(name), expected: 'true or false', found, gap: 'query-boolean' }];
}
