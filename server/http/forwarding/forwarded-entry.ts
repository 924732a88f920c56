// Adds a forwarded request to the journal, the metrics and the log.
import type { Log } from '../../engine/log.js';
import { type Body, bodyFrom, noBody, type Request } from '../../engine/request/request.js';
import type { Result } from '../../engine/request/result.js';
import { callerOf } from '../../engine/request/stages/caller.js';
import { DEFAULT_SANDBOX } from '../../engine/sandbox/state.js';
import { redactHeader } from '../../engine/secrets.js';
import type { Session } from '../../engine/session/session.js';
import { defaultReadings } from '../../operations/gaps/gaps.js';
import type { Caller } from '../../operations/operation-context.js';
import { isRefused, Provenance } from '../../operations/provenance.js';
import type { ArrivedHead } from '../incoming/base-url.js';
import type { Context } from '../incoming/context.js';
import { type EndpointPlace, isServed } from '../incoming/find-endpoint.js';
import { requestFrom, requestIdIn } from '../incoming/request-from.js';
import type { Metrics } from '../metrics/metrics.js';
import type { ForwardedExchange, ForwardSettings } from './forward-settings.js';
import type { Rewriting } from './rewriting.js';
import type { SeenMessage } from './seen-message.js';

/** Bytes of a request's body that are kept for examination, and of its response's. */
export const MAX_EXAMINED = 1024 * 1024;

export interface EntryParts {
  readonly session: Session;
  readonly metrics: Pick<Metrics, 'count'>;
  readonly log: Log;
}

/** Where a forwarded request came, and how its response was rewritten. */
export interface ForwardedFrom {
  readonly sandbox: string;
  readonly place: EndpointPlace;
  readonly rewriting: Rewriting | undefined;
}

/** The head of a request as it arrived. */
export type Arrived = Pick<Context, 'originalUrl' | 'querystring'> & { readonly req: ArrivedHead };

export async function addEntry(
  ctx: Arrived,
  { sandbox, place, rewriting }: ForwardedFrom,
  exchange: ForwardedExchange,
  { target, examine }: Pick<ForwardSettings, 'target' | 'examine'>,
  { session, metrics, log }: EntryParts,
): Promise<void> {
  const { status, duration, problem, response: seen } = exchange;
  const { operation, violations, agrees } = examine?.(exchange) ?? {};
  const headers = seen && keptHeaders(seen, rewriting);
  const forwarded = { to: target, duration: Math.round(duration), problem, headers, violations, agrees };
  const request = requestOf(ctx, place, exchange.request, { isExamined: examine !== undefined, operation });
  const body = seen?.isWhole ? seen.text : undefined;
  const response = { status, headers: plain(seen?.headers), ...(body !== undefined && { body }) };
  const caller = callerIn(request, session, sandbox);
  let result: Result | undefined;
  try {
    result = await session.addForwarded(sandbox, request, { response, operation, forwarded, caller });
  } catch (error) {
    log.warn('a forwarded request could not be added to the journal', { err: error });
  }
  metrics.count(result ?? {}, status, duration / 1000);
  const { method, url, traceparent } = request;
  log.request?.({ sandbox, method, url, status, duration, traceparent, result });
}

/** The request with what is known of it: for a fallback its head, for a proxy its credentials, body and operation too. */
function requestOf(
  { req, originalUrl: url, querystring }: Arrived,
  place: EndpointPlace,
  { bytes, isWhole }: SeenMessage,
  { isExamined, operation }: { readonly isExamined: boolean; readonly operation: string | undefined },
): Request {
  const isKnown = isExamined && (operation !== undefined || isServed(place.endpoint)); // a gap may decide which operation it is
  const isReadable = isWhole && req.headers['content-encoding'] === undefined;
  const body: Body = isReadable ? bodyFrom(bytes) : { kind: 'too-large', limit: MAX_EXAMINED };
  const request = requestFrom(req, isKnown ? place : {}, {
    id: requestIdIn(req.headers),
    url,
    query: isKnown ? querystring : '',
    body: !isExamined || (isWhole && bytes.length === 0) ? noBody : body,
    sandbox: DEFAULT_SANDBOX,
    isNamed: false,
  });
  const undecided = { ...request, readings: undefined, cookie: undefined }; // this fake does not decide it
  return isExamined ? undecided : { ...undecided, credentials: { kind: 'none' } };
}

/** Headers with repeated ones as one text. */
function plain(headers: SeenMessage['headers'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]));
}

/** The headers of a response that a stub repeats, without secrets. A redirect to this server is a path, so that it also leads there elsewhere. */
function keptHeaders({ headers }: SeenMessage, rewriting: Rewriting | undefined): Readonly<Record<string, string>> {
  const { 'content-type': type, location: sent } = headers;
  const location = sent === undefined ? undefined : (rewriting?.destination(String(sent)) ?? String(sent));
  return {
    ...(type !== undefined && { 'Content-Type': redactHeader('Content-Type', String(type)) }),
    ...(location !== undefined && { Location: redactHeader('Location', location) }),
  };
}

/** A user of the world with these credentials. The other server may know others. */
function callerIn({ credentials, endpoint }: Request, session: Session, sandbox: string): Caller | undefined {
  const world = session.sandboxes.peek(sandbox)?.state.world;
  if (endpoint === undefined || world === undefined) return undefined;
  const caller = callerOf(credentials, world, new Provenance(defaultReadings));
  return isRefused(caller) ? undefined : caller;
}
