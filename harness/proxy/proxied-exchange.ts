// Examines an exchange with a real server: violations of the document, and the readings that agree. Contains no secrets.

import { checkExpectation, checkRequest } from '../../server/derive/document/document-check.js';
import type { Finding } from '../../server/derive/document/violation.js';
import { parsedJson } from '../../server/domain/json/parsed-json.js';
import { type Body, bodyFrom, parseQuery, type Request } from '../../server/engine/request/request.js';
import { redactBody, redactUrl } from '../../server/engine/secrets.js';
import type { Examined, ForwardedExchange } from '../../server/http/forwarding/forward-settings.js';
import type { SeenMessage } from '../../server/http/forwarding/seen-message.js';
import { findPlace } from '../../server/http/incoming/find-endpoint.js';
import { isSuspect } from '../../server/http/incoming/request-from.js';
import { type GapId, readingNames } from '../../server/operations/gaps/gaps.js';
import { type Agreeing, agreeingReadings } from './agreeing-readings.js';

export interface ProxiedExchange {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** Milliseconds. */
  readonly duration: number;
  /** Absent: no operation. */
  readonly operation?: string;
  /** Violations of the document, one sentence each. */
  readonly violations: readonly string[];
  /** The agreeing and excluded readings, for each gap that the response says something about. */
  readonly readings: Readonly<
    Partial<Record<GapId, { readonly agrees: readonly string[]; readonly excludes: readonly string[] }>>
  >;
  /** Why the other server gave no response. */
  readonly problem?: string;
}

/** `examined`: the part for the journal. */
export function proxiedExchange(exchange: ForwardedExchange): {
  readonly seen: ProxiedExchange;
  readonly examined: Examined & { readonly agrees: Agreeing };
} {
  const { method, url, status, duration, problem, request, response } = exchange;
  const sent = request.bytes.length === 0 ? undefined : redactBody(request.bytes.toString('utf8'));
  const checked = checkRequest({
    method,
    path: redactUrl(url),
    headers: ownHeaders(request),
    ...(sent !== undefined && { body: sent }),
  });
  const { operation } = checked;
  const text = response?.text;
  const ofResponse =
    operation === undefined || response === undefined || status >= 500
      ? []
      : checkExpectation(operation, { status, headers: ownHeaders(response), ...bodyOf(text) });
  const agreeing = text === undefined ? {} : agreeingIn(exchange, text);
  const isUnlike = agreeing === undefined && operation?.family === 'ppf'; // the document shows no response of the wiki
  const unlike = isUnlike ? ['The response agrees with no reading of the document.'] : [];
  const isRefused = status >= 400 && status < 500; // rightly, if the request violates the document
  const violations = [...(operation === undefined || isRefused ? [] : checked.findings), ...ofResponse]
    .filter(isViolation)
    .map(sentence)
    .concat(unlike);
  const agrees = agreeing ?? {};
  const seen = {
    method,
    url: redactUrl(url),
    status,
    duration,
    ...(operation !== undefined && { operation: operation.id }),
    violations,
    readings: Object.fromEntries(
      (Object.entries(agrees) as Array<[GapId, readonly string[]]>).map(([gap, those]) => [
        gap,
        { agrees: those, excludes: readingNames(gap).filter(name => !those.includes(name)) },
      ]),
    ),
    ...(problem !== undefined && { problem }),
  };
  return { seen, examined: { operation: operation?.id, violations, agrees } };
}

/** A choice within a gap is not a violation: the readings show it. Nor is a status or a field of a response about which the document is silent. */
function isViolation({ part, gap, rule }: Finding): boolean {
  return gap === undefined && (rule !== undefined || (part !== 'status' && part !== 'reply'));
}

function sentence({ part, pointer, expected, found, rule }: Finding): string {
  const at = pointer === '' ? '' : ` at ${pointer}`;
  return `${part}${at}: the exchange has ${found}, but the document has ${expected}${rule === undefined ? '' : ` (${rule})`}.`;
}

/** The only documented header is the content type. */
function ownHeaders({ headers }: SeenMessage): Record<string, string> {
  const type = headers['content-type'];
  return type === undefined ? {} : { 'content-type': String(type) };
}

function bodyOf(text: string | undefined): { readonly body?: unknown } {
  return text === undefined || text === '' ? {} : { body: parsedJson(redactBody(text), text) };
}

/** Nothing is concluded from incomplete messages. */
function agreeingIn({ method, url, status, request, response }: ForwardedExchange, text: string): Agreeing | undefined {
  if (!request.isWhole || !response?.isWhole || request.headers['content-encoding'] !== undefined) return {};
  const [path = ''] = url.split('?', 1);
  const place = findPlace(path);
  const asked = (body: Body): Request => ({
    method,
    url,
    ...place,
    query: parseQuery(url.slice(path.length + 1)),
    credentials: { kind: 'none' },
    contentType: String(request.headers['content-type'] ?? ''),
    ...(isSuspect(request) && { isSuspect: true }),
    body,
    readings: request.headers['x-fake-reading'] === undefined ? undefined : String(request.headers['x-fake-reading']),
  });
  const isSaid = request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
  const body: Body = request.bytes.length === 0 && !isSaid ? { kind: 'absent' } : bodyFrom(request.bytes);
  if (request.bytes.length === 0 && isSaid) return {}; // servers differ in whether that is a body
  return agreeingReadings(asked(body), { status, text });
}
