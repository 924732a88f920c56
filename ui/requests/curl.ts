// A request of the journal as the curl command that sends it again, quoted for a POSIX shell.
import type { Entry } from '../client/wire.js';

/** The password is unknown, so curl asks for it. */
export function curlOf({ method, url, request, caller, unasked, readings }: Entry, base: string): string {
  const user = caller ?? unasked;
  const { body, contentType } = request;
  const address = `${base}${url}`;
  return [
    `curl -i ${method === 'HEAD' ? '--head' : `-X ${method}`}${/[[\]{}]/.test(address) ? ' --globoff' : ''} ${quoted(address)}`,
    ...(user === undefined || user === 'anonymous' ? [] : [`-u ${quoted(user)}`]),
    ...(readings === undefined ? [] : [`-H ${quoted(`X-Fake-Reading: ${readings}`)}`]),
    ...(contentType === '' && body === undefined ? [] : [`-H ${quoted(`Content-Type: ${contentType}`)}`]),
    ...(body === undefined || body === '' ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
