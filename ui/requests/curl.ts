// A request of the journal as the curl command that sends it again, quoted for a POSIX shell.
import type { Entry } from '../client/wire.js';

/** The password is unknown, so curl asks for it. A token and a body that the journal does not have are marked with their place. */
export function curlOf(entry: Entry, base: string): string {
  const { method, url, request, readings } = entry;
  const { body, contentType, unread } = request;
  const address = `${base}${url}`;
  const isLost = body === undefined ? unread !== undefined : body.includes('\0');
  return [
    `curl -i ${method === 'HEAD' ? '--head' : `-X ${method}`}${/[[\]{}]/.test(address) ? ' --globoff' : ''} ${quoted(address)}`,
    ...credentialsOf(entry),
    ...(readings === undefined ? [] : [`-H ${quoted(`X-Fake-Reading: ${readings}`)}`]),
    ...(contentType === '' && body === undefined ? [] : [`-H ${quoted(`Content-Type: ${contentType}`)}`]),
    ...(isLost ? ["--data-binary '@body.bin'"] : []),
    ...(isLost || body === undefined || body === '' ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');
}

function credentialsOf({ caller, ignoredCaller, scheme }: Entry): string[] {
  const user = caller ?? ignoredCaller;
  if (user === undefined || user === 'anonymous') return [];
  const place = user.replaceAll("'", '');
  if (scheme === 'bearer') return [`-H 'Authorization: Bearer <token of ${place}>'`];
  return scheme === 'cookie' ? [`-b '<cookie of ${place}>'`] : [`-u ${quoted(user)}`];
}

const CONTROL = /(?![\n\t\u0080-\u009f])\p{Cc}/gu;

/** Control characters are escaped, which bash, zsh and ksh understand. */
function quoted(text: string): string {
  if (text.search(CONTROL) === -1) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text.replaceAll(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return `$'${escaped.replaceAll(CONTROL, character => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)}'`;
}
