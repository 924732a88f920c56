// A request as the curl command that sends it, quoted for a POSIX shell. Knows no server.
import { redactBody, redactHeader, redactUrl } from '../../engine/journal/secrets.js';
import type { Example, Operation } from '../../operations/operation.js';
import { UNSEEN, visible } from '../text/visible.js';
import { authorization, type HttpRequest, requestFor } from './call.js';

/** The command that sends an example's request to a server at `host`. Its user's password is its name: on the default world that fits. */
export function curl(operation: Operation, example: Example, host: string): string {
  const { as: user, params, query, body } = example;
  const as = user === undefined ? undefined : { user, password: user };
  return curlOf(requestFor(operation, { as, params, query, body }), host);
}

/** A longer body is left out. */
const MOST_BODY = 8000;

/** Whether the passwords and tokens of a request are written out; `hidden` leaves them to be filled in. */
export type Secrets = 'shown' | 'hidden';

/** The command that sends a request to a server at `url`, over several lines. Its credentials are first, its body last. */
export function curlOf({ method, path, headers, body }: HttpRequest, url: string, secrets: Secrets = 'shown'): string {
  const isHidden = secrets === 'hidden';
  const address = `${url}${isHidden ? redactUrl(path) : path}`;
  const isNamed = (name: string) => Object.keys(headers).some(other => other.toLowerCase() === name);
  const flags = [
    method === 'HEAD' ? '--head' : `-X ${method}`,
    ...(/\/\.{1,2}(\/|\?|$)/.test(path) ? ['--path-as-is'] : []),
    ...(/[[\]{}]/.test(address) ? ['--globoff'] : []),
  ].join(' ');
  const [before, after] =
    body === undefined ? ['', []] : bodyFlags(isHidden && typeof body === 'string' ? redactBody(body) : body);
  return [
    `${before}curl -i ${flags} ${quoted(address)}`,
    ...Object.entries(headers).map(([name, value]) => headerFlag(name, value, secrets)),
    ...(body !== undefined && !isNamed('content-type') ? [`-H 'Content-Type:'`] : []), // curl would say that it is a form
    ...after,
  ].join(' \\\n  ');
}

/** Who proves something by a header, without what proves it: `Basic admin:…`. */
export function withoutSecret(value: string): string {
  const { scheme, user } = credentialsIn(value);
  return user === undefined ? `${scheme} …` : `${scheme} ${user}:…`;
}

function headerFlag(name: string, value: string, secrets: Secrets): string {
  if (name.toLowerCase() !== 'authorization') {
    const shown = secrets === 'hidden' ? redactHeader(name, value) : value;
    return `-H ${quoted(shown === '' ? `${name};` : `${name}: ${shown}`)}`;
  }
  const { user, password } = credentialsIn(value);
  const isPlain = user !== undefined && authorization({ user, password }) === value;
  if (isPlain && secrets === 'shown') return `-u ${quotedIfDue(`${user}:${password}`)}`;
  if (isPlain) return `-u ${quotedIfDue(user)}`; // curl asks for the password
  return secrets === 'shown' ? `-H ${quoted(`${name}: ${value}`)}` : `-H "Authorization: $AUTHORIZATION"`;
}

function credentialsIn(value: string): { scheme: string; user?: string; password: string } {
  const [scheme = '', encoded = ''] = value.trim().split(/\s+/, 2);
  if (scheme.toLowerCase() !== 'basic') return { scheme, password: '' };
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const at = text.indexOf(':');
  return at === -1 ? { scheme, password: '' } : { scheme, user: text.slice(0, at), password: text.slice(at + 1) };
}

/** What stands before the command, and the flag that says what is sent. */
function bodyFlags(body: string | Uint8Array): readonly [before: string, flags: readonly string[]] {
  const bytes = Buffer.from(body);
  const text = bytes.toString('utf8');
  const isText = Buffer.from(text, 'utf8').equals(bytes) && !text.includes('\0');
  if (bytes.length > MOST_BODY) return ['', [`--data-binary @body # put its ${bytes.length} bytes into a file`]];
  if (isText) return ['', [`${text.startsWith('@') ? '--data-raw' : '-d'} ${quoted(text)}`]];
  return [`printf '${octal(bytes)}' | `, ['--data-binary @-']];
}

/** Text as a shell takes it for one word. What cannot be seen is spelled in octal. */
export function quoted(text: string): string {
  if (visible(text) === text) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text.replace(/[\\']/g, '\\$&').replace(UNSEEN, octal);
  return `$'${escaped}'`;
}

function octal(text: string | Uint8Array): string {
  return [...Buffer.from(text)].map(byte => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/** The same, bare where a shell sees nothing in it. */
export function quotedIfDue(text: string): string {
  return /^[\w.:/@%+=-]+$/.test(text) ? text : quoted(text);
}
