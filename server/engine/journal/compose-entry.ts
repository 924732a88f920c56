// Composes the journal entry of a request, without credentials.

import type { World } from '../../domain/world/world.js';
import { anyOperationOf } from '../../operations/catalog/catalog.js';
import { defaultReadings } from '../../operations/gaps/gaps.js';
import { callerName } from '../../operations/operation-context.js';
import { isRefused, Provenance } from '../../operations/provenance.js';
import { realTime } from '../real-time.js';
import { queryNames } from '../request/query-names.js';
import type { Body, Query, Request } from '../request/request.js';
import type { Result } from '../request/result.js';
import { callerOf } from '../request/stages/caller.js';
import { redactBody, redactHeaders, redactText, redactUrl } from '../secrets.js';
import type { JournalEntry, Unread } from './journal-entry.js';
import { redactFacts } from './redacted-state.js';

/** When and on which state a request was performed. */
export interface Moment {
  readonly at: string;
  /** The world that decided it, and the versions before and after. */
  readonly world: World;
  readonly before: number;
  readonly version: number;
  readonly isLeak: boolean;
}

/** The result of a request, and the id of its journal entry. */
export interface JournaledResult extends Result {
  readonly entry: number;
}

const nothing: Partial<JournalEntry> = Object.freeze({});

export function entryOf(id: number, request: Request, result: Result, moment: Moment): JournalEntry {
  const { operation, caller, refused, expand, rules, gaps, facts, response, injected, stub, nearestStub, forwarded } =
    result;
  const { unknownQuery, repeatedQuery } =
    request.query.pairs.length === 0 ? nothing : queryNotes(request.query, operation);
  const { ignoredCaller, credentialsProblem, claimed } = shown(request, result, moment.world);
  const { contentType, credentials } = request;
  const url = redactUrl(request.url);
  const body = redactRequestBody(request.body);
  const readings = request.readings && redactText(request.readings);
  const entry: JournalEntry = {
    id,
    at: moment.at,
    requestId: request.id && redactText(request.id),
    traceparent: request.traceparent,
    before: moment.before,
    method: request.method,
    url,
    operation,
    endpoint: request.endpoint?.path,
    prefix: request.prefix,
    base: request.resource?.base,
    params: filled(request.params),
    caller: caller && callerName(caller),
    scheme: credentials.kind === 'bearer' ? 'bearer' : 'scheme' in credentials ? credentials.scheme : undefined,
    ignoredCaller,
    credentialsProblem,
    claimed,
    readings,
    unknownQuery,
    repeatedQuery,
    xsrfSuspect: request.isSuspect,
    expand: expand.length > 0 ? expand : undefined,
    request: {
      contentType: contentType === 'application/json' ? contentType : redactText(contentType),
      headers: request.headers && redactHeaders(request.headers),
      body: 'text' in body ? body.text : undefined,
      unread: body.kind === 'json' || body.kind === 'absent' ? undefined : unreadOf(body),
    },
    response: { status: response.status, headers: redactHeaders(response.headers), body: response.body },
    duration: durationOf(request, result),
    refused,
    rules,
    gaps,
    facts,
    fault: injected?.name,
    stub: stub?.name,
    nearestStub,
    version: moment.version,
    leaked: moment.isLeak || undefined,
    forwarded,
  };
  const isOwn = injected === undefined && stub === undefined && forwarded === undefined;
  const isSame = url === request.url && body === request.body && readings === request.readings;
  const isClean = isSame && credentialsProblem === undefined && isOwn;
  if (!isClean) return repeatingNone(entry);
  return facts.some(({ type }) => type === 'page-text-replaced') ? { ...entry, facts: redactFacts(facts) } : entry;
}

/** Rounded to 10 microseconds. */
function durationOf({ arrived }: Request, { forwarded }: Result): number | undefined {
  if (arrived === undefined || forwarded !== undefined) return undefined;
  return Math.round((realTime.uptime() - arrived) * 100) / 100;
}

/** A body with its secrets hidden; the same body if there are none. */
function redactRequestBody(body: Body): Body {
  if (!('text' in body)) return body;
  const text = redactBody(body.text, body.kind === 'json' ? body.value : undefined);
  if (text === body.text) return body;
  return { ...body, text };
}

/** The entry of a request with secrets, of a fault, of a stub, or of another server's response, without repeated texts. */
function repeatingNone(entry: JournalEntry): JournalEntry {
  const { params, unknownQuery, repeatedQuery, expand, response, facts } = entry;
  return {
    ...entry,
    params: params && Object.fromEntries(Object.entries(params).map(([name, value]) => [name, redactText(value)])),
    unknownQuery: unknownQuery?.map(redactText),
    repeatedQuery: repeatedQuery?.map(redactText),
    expand: expand?.map(redactText),
    response: { ...response, body: response.body && redactBody(response.body) },
    facts: redactFacts(facts),
  };
}

function unreadOf(body: Exclude<Body, { readonly kind: 'json' | 'absent' }>): Unread {
  return body.kind === 'not-json' ? { kind: body.kind, problem: body.problem } : body;
}

/** Credentials that did not decide who the caller is: whom they would have proved, or why they do not. */
function shown(
  { credentials }: Request,
  { caller, gaps }: Result,
  world: World,
): Pick<JournalEntry, 'ignoredCaller' | 'credentialsProblem' | 'claimed'> {
  const isIgnored = caller === undefined || gaps['auth-scheme'] === 'basic' || gaps['bad-credentials'] === 'anonymous';
  if (!isIgnored || credentials.kind === 'none') return nothing;
  const found = callerOf(credentials, world, new Provenance(defaultReadings));
  if (!isRefused(found)) return { ignoredCaller: callerName(found) };
  return { credentialsProblem: redactText(found.message), claimed: claimedIn(credentials) };
}

function claimedIn(credentials: Request['credentials']): JournalEntry['claimed'] {
  if (credentials.kind === 'basic') return { user: redactText(credentials.user) };
  return credentials.kind === 'unreadable' ? { header: credentials.like } : undefined;
}

function filled(params: Request['params']): Request['params'] {
  for (const _ in params) return params;
  return undefined;
}

function queryNotes(
  { pairs }: Query,
  operation: string | undefined,
): Pick<JournalEntry, 'unknownQuery' | 'repeatedQuery'> {
  const fields = operation === undefined ? undefined : anyOperationOf(operation)?.query;
  const { unknown: unknownQuery, repeated: repeatedQuery } = queryNames(pairs, fields, ['expand']);
  return { ...(unknownQuery.length > 0 && { unknownQuery }), ...(repeatedQuery.length > 0 && { repeatedQuery }) };
}
