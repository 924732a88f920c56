// The base URL under which a request reached this server, for addresses in its answer.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { DEFAULT_URL } from '../../derive/served-at.js';

/** A host name or an IP address with an optional port: safe in a shell, in Markdown and in JSON. */
const PLAIN_HOST = /^(?:[\w.-]{1,255}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** The head of a request, and the addresses of its connection. */
export interface ArrivedHead extends Pick<IncomingMessage, 'method' | 'url' | 'headers'> {
  readonly socket: Pick<Socket, 'localAddress' | 'localPort'>;
}

/** Scheme, host and port, without a trailing slash. An unusual `Host`, as `--allow-host any` allows, is not repeated. */
export function requestRoot({ headers: { host = '' }, socket }: Pick<ArrivedHead, 'headers' | 'socket'>): string {
  const scheme = 'encrypted' in socket ? 'https' : 'http';
  if (PLAIN_HOST.test(host)) return `${scheme}://${host}`;
  const own = addressOf(socket);
  return own === undefined ? DEFAULT_URL : `${scheme}://${own}`;
}

/** The local address of the connection; in process there is none. */
function addressOf({ localAddress, localPort }: ArrivedHead['socket']): string | undefined {
  if (localAddress === undefined) return undefined;
  const plain = localAddress.replace(/^::ffff:/, '');
  return `${plain.includes(':') ? `[${plain}]` : plain}:${localPort}`;
}
