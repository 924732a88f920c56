// Connections through the proxy that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY name.
import { STATUS_CODES } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type * as Undici from 'undici';
import { connectionFailure } from '../derive/text/connection-failure.js';
import { decoded } from '../engine/percent.js';
import { parsedUrl } from './parsed-url.js';

export type Connector = ReturnType<typeof Undici.buildConnector>;

const LOOPBACK = /^127\.[\d.]+$|(^|\.)localhost$|^\[::1\]$/;

/** The URL of the proxy for requests to a URL, as the variables give it. Loopback has none. */
export function proxyFor(target: URL): string | undefined {
  const variable = (name: string) => process.env[name] || process.env[name.toUpperCase()] || undefined;
  if (LOOPBACK.test(target.hostname) || isExcepted(target, variable('no_proxy') ?? '')) return undefined;
  const given = variable(`${target.protocol.slice(0, -1)}_proxy`) ?? variable('all_proxy');
  return given === undefined || given.includes('://') ? given : `http://${given}`;
}

/** Whether a value of NO_PROXY names a host or a domain above it, and no other port. */
export function isExcepted({ hostname, port, protocol }: URL, list: string): boolean {
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  return list.split(/[\s,]+/).some(given => {
    const entry = given.toLowerCase().replace(/^\*?\./, '');
    const [name = '', onlyPort = ownPort] = isIP(entry) === 6 ? [`[${entry}]`] : entry.split(/:(?=\d+$)/);
    return name === '*' || (name !== '' && onlyPort === ownPort && `.${hostname}`.endsWith(`.${name}`));
  });
}

/** The errors of its connections name it, without its credentials. */
export class OutgoingProxy {
  readonly #url: URL;
  readonly #name: string;

  /** Throws if it does not speak HTTP. */
  constructor(
    private readonly undici: typeof Undici,
    url: string,
    private readonly patience: number,
  ) {
    this.#name = `the proxy ${url.replace(/^([^/]*\/\/)[^@]*@/, '$1').replace(/\/$/, '')}`;
    const parsed = parsedUrl(url);
    if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
      throw new Error(`${this.#name} is not supported: use an http(s) URL, or name the server in NO_PROXY`);
    this.#url = parsed;
  }

  get origin(): string {
    return this.#url.origin;
  }

  /** Connects to the proxy itself. */
  get connect(): Connector {
    const connect = this.undici.buildConnector({ timeout: this.patience });
    const { hostname } = this.#url;
    const servername = isIP(hostname) === 0 ? hostname : undefined;
    return (options, done) =>
      connect({ ...options, servername } as typeof options, (...outcome) => {
        const [error] = outcome;
        if (error === null) done(...outcome);
        else done(this.#failed('cannot be reached', error), null);
      });
  }

  /** Connects to a server through a tunnel. `secure`: begins TLS in it. */
  tunnel(secure: Connector): Connector {
    const pool = new this.undici.Pool(this.origin, { connect: this.connect, headersTimeout: this.patience });
    return (options, done) => {
      const address = `${options.hostname.includes(':') ? `[${options.hostname}]` : options.hostname}:${options.port || 443}`;
      pool.connect({ path: address, headers: ['Host', address, ...this.authorization] }).then(
        ({ statusCode, socket }) => {
          if (statusCode === 200) return secure({ ...options, httpSocket: socket as Socket }, done);
          socket.destroy();
          return done(new Error(`${this.#name} refuses to connect to ${address}: ${statusText(statusCode)}`), null);
        },
        (error: Error) => done(error instanceof ProxyError ? error : this.#failed('failed', error), null),
      );
    };
  }

  /** The header with the credentials of its URL, if it has any. */
  get authorization(): readonly string[] {
    const { username, password } = this.#url;
    if (username === '') return [];
    const account = `${decoded(username) ?? username}:${decoded(password) ?? password}`;
    return ['Proxy-Authorization', `Basic ${Buffer.from(account).toString('base64')}`];
  }

  /** What it responds in the place of the server; `undefined`: the server itself responds. */
  refusal(status: number, headers: Readonly<Record<string, string>>): Error | undefined {
    const { 'x-squid-error': squid, 'proxy-status': proxyStatus } = headers; // `Proxy-Status`: RFC 9209
    const why = squid ?? (proxyStatus?.includes('error=') ? proxyStatus : undefined);
    if (status !== 407 && (why === undefined || status < 400)) return undefined;
    const reason = why === undefined ? '' : ` (${why})`;
    return new ProxyError(`${this.#name} sent a response of its own: ${statusText(status)}${reason}`);
  }

  #failed(how: string, error: Error): Error {
    return new ProxyError(`${this.#name} ${how}: ${connectionFailure(error)}`);
  }
}

class ProxyError extends Error {}

function statusText(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}
