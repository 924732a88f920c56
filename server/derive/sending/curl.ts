// A request as the curl command that sends it, quoted for a POSIX shell. Knows no server.
import { redactBody, redactHeader, redactUrl } from '../../engine/secrets.js';
import type { Example, Operation } from '../../operations/operation.js';
import { UNSEEN, visible } from '../text/visible.js';
import { authorization, type HttpRequest, requestFor } from './call.js';

/** The command for an example at `host`. The password is the user name, which the default world accepts. */
export function curl(operation: Operation, example: Example, host: string): string {
  const { as: user, params, query, body } = example;
  const as = user === undefined ? undefined : { user, password: user };
  return curlOf(requestFor(operation, { as, params, query, body }), host);
}

/** A longer body is left out. */
const MAX_BODY = 8000;

/** Whether to show passwords and tokens; `hidden`: the user fills them in. */
export type Secrets = 'shown' | 'hidden';

/** The command for a request to `url`, over several lines: credentials first, body last. */
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
    `${before}curl -i ${flags} ${shellQuoted(address)}`,
    ...Object.entries(headers).map(([name, value]) => headerFlag(name, value, secrets)),
    ...(body !== undefined && !isNamed('content-type') ? [`-H 'Content-Type:'`] : []), // curl would say that it is a form
    ...after,
  ].join(' \\\n  ');
}

/** The user of an Authorization header, without the secret: `Basic admin:…`. */
export function withoutSecret(value: string): string {
  const { scheme, user } = credentialsIn(value);
  return user === undefined ? `${scheme} …` : `${scheme} ${user}:…`;
}

function headerFlag(name: string, value: string, secrets: Secrets): string {
  if (name.toLowerCase() !== 'authorization') {
    const shown = secrets === 'hidden' ? redactHeader(name, value) : value;
    return `-H ${shellQuoted(shown === '' ? `${name};` : `${name}: ${shown}`)}`;
  }
  const { user, password } = credentialsIn(value);
  const isPlain = user !== undefined && authorization({ user, password }) === value;
  if (isPlain && secrets === 'shown') return `-u ${quotedIfDue(`${user}:${password}`)}`;
  if (isPlain) return `-u ${quotedIfDue(user)}`; // curl asks for the password
  return secrets === 'shown' ? `-H ${shellQuoted(`${name}: ${value}`)}` : `-H "Authorization: $AUTHORIZATION"`;
}

function credentialsIn(value: string): { scheme: string; user?: string; password: string } {
  const [scheme = '', encoded = ''] = value.trim().split(/\s+/, 2);
  if (scheme.toLowerCase() !== 'basic') return { scheme, password: '' };
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const at = text.indexOf(':');
  return at === -1 ? { scheme, password: '' } : { scheme, user: text.slice(0, at), password: text.slice(at + 1) };
}

/** The pipe before the command, and the body's flag. */
function bodyFlags(body: string | Uint8Array): readonly [before: string, flags: readonly string[]] {
  const bytes = Buffer.from(body);
  const text = bytes.toString('utf8');
  const isText = Buffer.from(text, 'utf8').equals(bytes) && !text.includes('\0');
  if (bytes.length > MAX_BODY) return ['', [`--data-binary @body # put its ${bytes.length} bytes into a file`]];
  if (isText) return ['', [`${text.startsWith('@') ? '--data-raw' : '-d'} ${shellQuoted(text)}`]];
  return [`printf '${octal(bytes)}' | `, ['--data-binary @-']];
}

/** Text quoted as one shell word. Invisible characters are octal escapes. */
export function shellQuoted(text: string): string {
  if (visible(text) === text) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text.replace(/[\\']/g, '\\$&').replace(UNSEEN, octal);
  return `$'${escaped}'`;
}

function octal(text: string | Uint8Array): string {
  return [...Buffer.from(text)].map(byte => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/** Quoted only if a shell would change it. */
export function quotedIfDue(text: string): string {
  return /^[\w.:/@%+=-]+$/.test(text) ? text : shellQuoted(text);
}
