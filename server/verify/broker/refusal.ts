// What to do where a server does not give what it is asked for. The secrets themselves never come into a message.
import { redactUrl } from '../../engine/journal/secrets.js';
import type { Reply } from './ask.js';
import type { Credentials } from './broker-credentials.js';

const FLAGS = '--broker-token <token> or --broker-user <user:password>';

/** Why an answer is none, and what would mend it; nothing where it is one. */
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
    return `the URL that was named leads to ${strangeHost}, which is not told the credentials; name ${redactUrl(url.href)} itself if that is right`;
  if (status === 401)
    return isGiven ? `it does not take what --broker-${given} gives` : `it wants to know who asks: give ${FLAGS}`;
  if (status === 403)
    return isGiven
      ? `what --broker-${given} gives is known there and does not allow this: it takes one that may read, and write to publish`
      : `it is not for everybody: give ${FLAGS}`;
  if (status === 404)
    return `there is nothing: is the URL right?${isGiven ? '' : ` Some brokers answer so to those whom they do not know: then give ${FLAGS}`}`;
  if (status === 400 || status === 422) return 'it does not take what was asked';
  return status >= 500 ? 'something is wrong there; the run may be tried again' : 'this is no answer to go on with';
}

/** What the answer itself has to say, as brokers of several years put it; in one line, and without what is ours. */
function saidBy({ type, text }: Reply, { token, basic }: Credentials): string {
  if (!/json$/.test(type)) return '';
  const said = [...messagesIn(text)].join('; ').replace(/\s+/g, ' ');
  const secrets = [token, basic?.password].filter(secret => secret !== undefined && secret !== '');
  const safe = secrets.reduce<string>((line, secret) => line.replaceAll(String(secret), '***'), said);
  return safe.length > 300 ? `${safe.slice(0, 297)}...` : safe;
}

/** `{"errors": {"field": ["…"]}}`, `{"errors": ["…"]}`, `{"error": {"message": "…"}}` and problem+json. */
function* messagesIn(text: string): Generator<string> {
  const body = objectIn(text);
  const { errors, error, detail, title, message } = body;
  const told = [errors, error].find(value => value !== undefined) ?? detail ?? message ?? title;
  if (typeof told === 'string') yield told;
  else if (Array.isArray(told)) yield* told.map(wordOf);
  else if (typeof told === 'object' && told !== null)
    for (const [field, value] of Object.entries(told))
      yield field === 'message' ? wordOf(value) : `${field}: ${[value].flat().map(wordOf).join(', ')}`;
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function objectIn(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>; // whatever it is, its keys may be asked for
  } catch {
    return {}; // it says that it is JSON and is not: then it says nothing
  }
}
