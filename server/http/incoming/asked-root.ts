// The root under which a request reached this server, so that what it is answered names an address that the client can use.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { DEFAULT_URL } from '../../derive/served-at.js';

/** A host name or an IP address, with or without a port: nothing that a shell, Markdown or JSON could take for more. */
const PLAIN_HOST = /^(?:[\w.-]{1,255}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Scheme, host and port, without a slash at the end. A `Host` that is not plain, as `--allow-host any` lets in, is not repeated. */
export function askedRoot({ headers: { host = '' }, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  const scheme = 'encrypted' in socket ? 'https' : 'http';
  if (PLAIN_HOST.test(host)) return `${scheme}://${host}`;
  const own = addressOf(socket);
  return own === undefined ? DEFAULT_URL : `${scheme}://${own}`;
}

/** The address that the connection came to; within a process there is none. */
function addressOf({ localAddress, localPort }: Pick<Socket, 'localAddress' | 'localPort'>): string | undefined {
  if (localAddress === undefined) return undefined;
  const plain = localAddress.replace(/^::ffff:/, '');
  return `${plain.includes(':') ? `[${plain}]` : plain}:${localPort}`;
}
