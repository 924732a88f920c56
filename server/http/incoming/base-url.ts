// The base URL under which a request reached this server, for addresses in its response.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { DEFAULT_URL } from '../../derive/served-at.js';
import { parsedUrl } from '../../outgoing/parsed-url.js';

/** A host name or an IP address with an optional port: safe in a shell, in Markdown and in JSON. */
const PLAIN_HOST = /^(?:[\w.-]{1,255}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** The head of a request, and the addresses of its connection. */
export interface ArrivedHead extends Pick<IncomingMessage, 'method' | 'url' | 'headers'> {
  readonly socket: Pick<Socket, 'localAddress' | 'localPort'>;
  /** The base URL that clients use, where a proxy in front makes it another. */
  readonly root?: string;
}

/** Scheme, host and port, without a trailing slash. A `Host` that is invalid, or as unusual as `--allow-host any` allows, counts as not sent. */
export function requestRoot({
  headers: { host = '' },
  socket,
  root,
}: Pick<ArrivedHead, 'headers' | 'socket' | 'root'>): string {
  if (root !== undefined) return root;
  const scheme = 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http'; // Bun has it in every socket
  const own = addressOf(socket);
  return originOf(scheme, host) ?? (own === undefined ? DEFAULT_URL : `${scheme}://${own}`);
}

/** Its path, without a trailing slash: empty if it has none. */
export function pathOf(root: string): string {
  return new URL(root).pathname.replace(/\/$/, '');
}

/** `undefined`: the host is invalid or unusual. */
function originOf(scheme: string, host: string): string | undefined {
  const url = `${scheme}://${host}`;
  return PLAIN_HOST.test(host) && parsedUrl(url) ? url : undefined;
}

/** The local address of the connection; in process there is none. */
function addressOf({ localAddress, localPort }: ArrivedHead['socket']): string | undefined {
  if (localAddress === undefined) return undefined;
  const plain = localAddress.replace(/^::ffff:|%.*/g, ''); // a URL has no zone
  return `${plain.includes(':') ? `[${plain}]` : plain}:${localPort}`;
}

/** What is known of proxies in front of this server. */
export interface InFront {
  /** The base URL that clients use, without a trailing slash. */
  readonly baseUrl?: string | undefined;
  /** Whether `Forwarded` and `X-Forwarded-*` count. */
  readonly trustProxy: boolean;
}

/** The base URL of a request by its proxies; `undefined`: by its own Host. */
export function publicRoot({ headers, socket }: ArrivedHead, { baseUrl, trustProxy }: InFront): string | undefined {
  if (baseUrl !== undefined || !trustProxy) return baseUrl;
  const said = forwardedOf(headers);
  if (said === undefined) return undefined;
  const own = new URL(requestRoot({ headers, socket }));
  const scheme = /^https?$/i.test(said.proto) ? said.proto.toLowerCase() : own.protocol.slice(0, -1);
  const host = originOf(scheme, said.host) === undefined ? own.host : said.host;
  const withPort = /:\d+$/.test(host) ? host : `${host}:${said.port}`;
  const origin = originOf(scheme, withPort) ?? originOf(scheme, host) ?? own.origin;
  const prefix = /^(?:\/[\w.~-]+)+$/.test(said.prefix) ? said.prefix : '';
  return `${new URL(origin).origin}${prefix}`;
}

/** What the proxy nearest to the client says (RFC 9110 lists it first); `undefined`: nothing. */
function forwardedOf(headers: IncomingHttpHeaders) {
  const first = (name: string) =>
    String(headers[name] ?? '')
      .split(',', 1)[0]
      ?.trim() ?? '';
  const forwarded = first('forwarded'); // RFC 7239
  const parameter = (name: string) => new RegExp(`(?:^|;)\\s*${name}="?([^";]*)`, 'i').exec(forwarded)?.[1];
  const said = {
    proto: parameter('proto') ?? first('x-forwarded-proto'),
    host: parameter('host') ?? first('x-forwarded-host'),
    port: first('x-forwarded-port'),
    prefix: first('x-forwarded-prefix').replace(/\/$/, ''),
  };
  return Object.values(said).some(value => value !== '') ? said : undefined;
}

/** Whether an origin is this server's. */
export function isOwnOrigin(
  origin: string,
  { headers: { host }, root }: Pick<ArrivedHead, 'headers' | 'root'>,
): boolean {
  const isHost = origin === `http://${host}` || origin === `https://${host}`;
  return isHost || (root !== undefined && origin === new URL(root).origin);
}
