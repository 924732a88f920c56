// One JSON request to another server, with limits of time and size, and what to do if it refuses. Credentials go only to the host that they are for,
// and messages never contain them.
import { authorization } from '../../../server/derive/sending/call.js';
import { connectionFailure } from '../../../server/derive/text/connection-failure.js';
import { isObject } from '../../../server/domain/form/patch.js';
import { parsedJson } from '../../../server/domain/json/parsed-json.js';
import { redactUrl } from '../../../server/engine/secrets.js';
import { connection } from '../../../server/library/port/http-connection.js';
import { parsedUrl, withoutEndingSlashes } from '../../../server/outgoing/parsed-url.js';
import type { RawResponse } from '../../../server/scenario/play/target.js';
import { MAX_BYTES } from '../../../server/scenario/yaml/text.js';
import type { Json } from '../contract/contract.js';

/** The token wins over the user. */
export interface Credentials {
  readonly token?: string;
  readonly basic?: { readonly user: string; readonly password: string };
}

export interface Asking {
  readonly credentials: Credentials;
  /** Milliseconds for the whole exchange, including redirects and body. */
  readonly patience: number;
  readonly method?: 'POST' | 'PUT';
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** No usable reply; the message is a sentence for people. */
export class NoReply extends Error {
  /** `status`: the status of a refusal, or that the server does not answer. */
  constructor(
    message: string,
    readonly status?: number | 'unreachable',
  ) {
    super(message);
  }
}

interface Reply {
  readonly status: number;
  /** The URL after redirects. */
  readonly url: URL;
  /** Lower case, without parameters; empty if absent. */
  readonly type: string;
  readonly text: string;
  /** Whether the host, after redirects, got the credentials. */
  readonly isTrusted: boolean;
}

/** A JSON object, its text, and its URL after redirects. */
export interface JsonReply extends Pick<Reply, 'text' | 'url'> {
  readonly json: Json;
}

/** Default timeout. */
export const PATIENCE_MS = 30_000;
const MAX_REDIRECTS = 5;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const FLAGS = '--broker-token <token> or --broker-user <user:password>';

/** The JSON object at a URL. Rejects with `NoReply`. */
export async function askJson(asked: URL, asking: Asking): Promise<JsonReply> {
  const { text, type, url } = await ask(asked, asking);
  const json = parsedJson(text);
  if (isObject(json)) return { json, text, url };
  const nothing = json === undefined ? 'a body that is not JSON' : 'JSON that is not an object';
  const is = type === 'text/html' ? 'a web page' : nothing;
  const right = 'give the URL of a pact or of the root of a Pact Broker';
  throw new NoReply(`${redactUrl(url.href)} responds with ${is}: ${right}.`);
}

/** The reply after redirects, also from http to https. Rejects with `NoReply` unless its status is 2xx. */
export async function ask(asked: URL, { credentials, patience, ...asking }: Asking): Promise<Reply> {
  const signal = AbortSignal.timeout(patience);
  let { method = 'GET', body }: { method?: string; body?: unknown } = asking;
  let url = asked;
  for (let i = 0; i <= MAX_REDIRECTS; i++) {
    const isTrusted = mayKnow(asked, url);
    const headers = {
      accept: 'application/hal+json, application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(isTrusted && authorizationOf(credentials)),
    };
    const path = url.pathname + url.search;
    const wire = connection(url.origin);
    const response = await wire
      .send({ method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }, signal)
      .catch((error: Error) => {
        const reason = signal.aborted ? `no response within ${patience / 1000} s` : connectionFailure(error);
        throw new NoReply(`${redactUrl(asked.href)} does not respond: ${reason}.`, 'unreachable');
      })
      .finally(wire.close);
    const { location } = response.headers;
    if (location === undefined || !REDIRECTS.includes(response.status))
      return accepted(response, { url, isTrusted }, credentials);
    const next = parsedUrl(location, url.href);
    if (next === undefined || !/^https?:$/.test(next.protocol))
      throw new NoReply(
        `${redactUrl(url.href)} redirects to ${JSON.stringify(location)}, which is not an http(s) URL.`,
      );
    url = next;
    if (response.status === 303) [method, body] = ['GET', undefined];
  }
  throw new NoReply(`${redactUrl(asked.href)} redirects more than ${MAX_REDIRECTS} times.`);
}

/** Whether the host of a redirect may get the credentials of the first host. */
function mayKnow(first: URL, target: URL): boolean {
  if (target.origin === first.origin) return true;
  const isUpgrade = first.protocol === 'http:' && target.protocol === 'https:';
  return isUpgrade && target.hostname === first.hostname;
}

function authorizationOf({ token, basic }: Credentials): { readonly authorization: string } | undefined {
  const proof = token === undefined ? basic : { token };
  return proof && { authorization: authorization(proof) };
}

function accepted(
  { status, headers, text, bytes }: RawResponse,
  from: Pick<Reply, 'url' | 'isTrusted'>,
  credentials: Credentials,
): Reply {
  const at = redactUrl(from.url.href);
  if (bytes.length > MAX_BYTES) throw new NoReply(`${at} sent more than ${MAX_BYTES} bytes.`);
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const reply = { ...from, status, type: type.trim(), text };
  if (status >= 200 && status < 300) return reply;
  const says = saidBy(reply, credentials);
  const why = says === '' ? '' : ` (${says})`;
  throw new NoReply(`${at} responds with ${status}${why}: ${remedy(reply, credentials)}.`, status);
}

/** What to do about a status. */
function remedy({ status, isTrusted, url }: Reply, { token, basic }: Credentials): string {
  const flag = token !== undefined ? '--broker-token' : basic !== undefined ? '--broker-user' : undefined;
  const isGiven = flag !== undefined;
  if (status === 401 || status === 403) {
    if (!isGiven) return `it requires credentials; give ${FLAGS}`;
    if (!isTrusted)
      return `the URL redirects to ${url.host}, to which no credentials are sent; if that host is right, give ${redactUrl(url.href)} directly`;
    return status === 401
      ? `it rejects the credentials of ${flag}`
      : `the account of ${flag} lacks permission: it must be allowed to read, and to write for publishing`;
  }
  if (status === 404)
    return `check the URL${isGiven ? '' : `. Some brokers respond like this to requests without credentials: then give ${FLAGS}`}`;
  if (status === 400 || status === 422) return 'it rejects the request';
  return status >= 500 ? 'the server failed; try again later' : 'this response cannot be used';
}

/** The server's own message, in the formats of several broker versions; one line, without our secrets. */
function saidBy({ type, text }: Reply, { token, basic }: Credentials): string {
  if (!/json$/.test(type)) return '';
  const said = messagesIn(text).join('; ').replace(/\s+/g, ' ');
  const secrets = [token, basic?.password].filter(secret => secret !== undefined && secret !== '');
  const safe = secrets.reduce<string>((line, secret) => line.replaceAll(String(secret), '***'), said);
  return safe.length > 300 ? `${safe.slice(0, 297)}...` : safe;
}

/** `{"errors": {"field": ["…"]}}`, `{"errors": ["…"]}`, `{"error": {"message": "…"}}` and problem+json. */
function messagesIn(text: string): string[] {
  const { errors, error, detail, title, message } = Object(parsedJson(text)) as Record<string, unknown>; // its keys may be read, whatever it is
  const reported = errors ?? error ?? detail ?? message ?? title;
  const words = (value: unknown) =>
    [value]
      .flat()
      .map(word => (typeof word === 'string' ? word : JSON.stringify(word)))
      .join(', ');
  if (typeof reported === 'string' || Array.isArray(reported)) return [reported].flat().map(words);
  return Object.entries(Object(reported)).map(([field, value]) =>
    field === 'message' ? words(value) : `${field}: ${words(value)}`,
  );
}

/** The target of a link as written, the first if it has several; empty if there is no such link. */
export function href(resource: Json, name: string): string | undefined {
  const links = isObject(resource._links) ? resource._links : {};
  const found = Object.keys(links).find(key => key.toLowerCase() === name.toLowerCase());
  const targets = found === undefined ? [] : [links[found]].flat();
  return targets
    .map((target: unknown) => (isObject(target) ? target.href : target))
    .filter(href => typeof href === 'string')
    .find(href => href !== '' && parsedUrl(href, 'http://broker') !== undefined);
}

/** Fills `{provider}` and other variables; unknown ones stay. */
export function expanded(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? encodeURIComponent(values[name] ?? '') : whole,
  );
}

/** Resolves a target at the broker, below its context path. */
export function placed(target: string, broker: URL): URL {
  const context = withoutEndingSlashes(broker.pathname);
  const { pathname, search } = new URL(target, `${broker.origin}${context}/`);
  const isBelow = context === '' || pathname === context || pathname.startsWith(`${context}/`);
  const url = new URL(broker.origin);
  url.pathname = isBelow ? pathname : `${context}${pathname}`; // assigned, not parsed: a path that begins with // must not become a host
  url.search = search;
  return url;
}
