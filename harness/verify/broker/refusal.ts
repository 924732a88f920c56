// What to do if a server refuses a request. Messages never contain the secrets.

import { parsedJson } from '../../../server/engine/parsed-json.js';
import { redactUrl } from '../../../server/engine/secrets.js';
import type { Reply } from './ask.js';
import type { Credentials } from './broker-credentials.js';

const FLAGS = '--broker-token <token> or --broker-user <user:password>';

/** Why an answer is a refusal and how to fix it; undefined if it is not. */
export function refusalIn(reply: Reply, credentials: Credentials): string | undefined {
  const { status, url } = reply;
  if (status >= 200 && status < 300) return undefined;
  const says = saidBy(reply, credentials);
  return `${redactUrl(url.href)} answers ${status}${says === '' ? '' : ` (${says})`}: ${remedy(reply, credentials)}.`;
}

function remedy({ status, strangeHost, url }: Reply, credentials: Credentials): string {
  const given = credentials.token !== undefined ? 'token' : credentials.basic !== undefined ? 'user' : undefined;
  const isGiven = given !== undefined;
  if ((status === 401 || status === 403) && isGiven && strangeHost !== undefined)
    return `the URL redirects to ${strangeHost}, which gets no credentials; if that host is right, give ${redactUrl(url.href)} itself`;
  if (status === 401)
    return isGiven ? `it rejects the credentials of --broker-${given}` : `it needs credentials: give ${FLAGS}`;
  if (status === 403)
    return isGiven
      ? `the account of --broker-${given} lacks permission: it must be allowed to read, and to write for publishing`
      : `it needs credentials: give ${FLAGS}`;
  if (status === 404)
    return `not found: is the URL right?${isGiven ? '' : ` Some brokers answer so to those whom they do not know: then give ${FLAGS}`}`;
  if (status === 400 || status === 422) return 'it rejects the request';
  return status >= 500 ? 'the server has an error; try again later' : 'this answer is unusable';
}

/** The server's own message, in the formats of several broker versions; one line, without our secrets. */
function saidBy({ type, text }: Reply, { token, basic }: Credentials): string {
  if (!/json$/.test(type)) return '';
  const said = [...messagesIn(text)].join('; ').replace(/\s+/g, ' ');
  const secrets = [token, basic?.password].filter(secret => secret !== undefined && secret !== '');
  const safe = secrets.reduce<string>((line, secret) => line.replaceAll(String(secret), '***'), said);
  return safe.length > 300 ? `${safe.slice(0, 297)}...` : safe;
}

/** `{"errors": {"field": ["…"]}}`, `{"errors": ["…"]}`, `{"error": {"message": "…"}}` and problem+json. */
function* messagesIn(text: string): Generator<string> {
  const { errors, error, detail, title, message } = Object(parsedJson(text)) as Record<string, unknown>; // its keys may be read, whatever it is
  const reported = [errors, error].find(value => value !== undefined) ?? detail ?? message ?? title;
  if (typeof reported === 'string') yield reported;
  else if (Array.isArray(reported)) yield* reported.map(wordOf);
  else if (typeof reported === 'object' && reported !== null)
    for (const [field, value] of Object.entries(reported))
      yield field === 'message' ? wordOf(value) : `${field}: ${[value].flat().map(wordOf).join(', ')}`;
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
