// The journal entry of one request. Knows what must never be written down: credentials are not in it.
import { callerName } from '../operations/case.js';
import { operationOf } from '../operations/catalog.js';
import type { JournalEntry } from './journal.js';
import type { Performance } from './perform.js';
import type { Body, Query, Request } from './request.js';

export function entryOf(
  request: Request,
  performance: Performance,
  at: string,
  version: number,
): Omit<JournalEntry, 'id'> {
  const { operation, caller, refused, expand, rules, gaps, facts, answer, injected } = performance;
  const { unknownQuery, repeatedQuery } = queryNotes(request.query, operation);
  return {
    at,
    method: request.method,
    url: request.url,
    operation,
    caller: caller && callerName(caller),
    unknownQuery,
    repeatedQuery,
    expand: expand.length > 0 ? expand : undefined,
    request: { contentType: request.contentType, body: textOf(request.body) },
    answer: { status: answer.status, body: answer.body },
    refused,
    rules,
    gaps,
    facts,
    fault: injected?.name,
    version,
  };
}

function textOf(body: Body): string | undefined {
  return body.kind === 'json' || body.kind === 'not-json' ? body.text : undefined;
}

const nothing = Object.freeze({});

function queryNotes(
  { pairs }: Query,
  operation: string | undefined,
): Pick<JournalEntry, 'unknownQuery' | 'repeatedQuery'> {
  if (pairs.length === 0) return nothing;
  const known = new Set([...Object.keys((operation !== undefined && operationOf(operation)?.query) || {}), 'expand']);
  const names = pairs.map(([name]) => name);
  const unknownQuery = [...new Set(names.filter(name => !known.has(name)))];
  const repeatedQuery = [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];
  return { ...(unknownQuery.length > 0 && { unknownQuery }), ...(repeatedQuery.length > 0 && { repeatedQuery }) };
}
