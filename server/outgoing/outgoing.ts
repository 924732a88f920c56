// Requests to another server: through the proxy that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY name, with the client's certificate.
/// <reference path="./proxy-from-env.d.ts" />

import { Agent, type ClientRequest, type IncomingMessage, request as plain, type RequestOptions } from 'node:http';
import { Agent as SecureAgent, request as secure } from 'node:https';
import { connect, isIP, Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { getProxyForUrl } from 'proxy-from-env';
import { connectionFailure } from '../derive/text/connection-failure.js';
import { decoded } from '../engine/percent.js';
import type { TlsOptions } from './tls-options.js';

export interface OutgoingOptions {
  /** Maximum open connections. Default: no limit. */
  readonly maxSockets?: number;
  /** Whether to accept untrusted certificates. */
  readonly insecure?: boolean;
  /** Default: those of the process. */
  readonly tls?: TlsOptions | undefined;
}

/** Where and how, besides the address. A `Host` header replaces the one of the server. */
export type OutgoingRequest = Pick<RequestOptions, 'method' | 'headers' | 'signal'> & { readonly path: string };

/** Milliseconds for a proxy to connect. */
const PATIENCE_MS = 30_000;

let ofProcess: TlsOptions = {};

/** Shows servers that ask for a certificate this one, in the whole process. */
export function useClientCertificate(shown: TlsOptions): void {
  ofProcess = shown;
}

/** Keeps connections to one server open. */
export class Outgoing {
  readonly #agent: Agent;
  readonly #isSecure: boolean;
  readonly #proxy: string | undefined;

  /** `target`: an http(s) URL; only its origin counts. */
  constructor(
    private readonly target: URL,
    { maxSockets = Number.POSITIVE_INFINITY, insecure = false, tls = ofProcess }: OutgoingOptions = {},
  ) {
    this.#isSecure = target.protocol === 'https:';
    this.#proxy = proxyFor(target);
    const sockets = { keepAlive: true, maxSockets };
    this.#agent = this.#isSecure
      ? new SecureAgent({ ...sockets, ...tls, rejectUnauthorized: !insecure })
      : new Agent(sockets);
    if (this.#proxy !== undefined) connectThrough(this.#agent, this.#proxy, target);
  }

  /** Sends the head of a request at its first write. Fails if a proxy responds in the server's place. */
  request(
    { path, headers = [], ...rest }: OutgoingRequest,
    answered: (response: IncomingMessage) => void,
  ): ClientRequest {
    const { hostname, port, origin, host } = this.target;
    const isForwarded = this.#proxy !== undefined && !this.#isSecure;
    const further = isForwarded ? authorization(this.#proxy ?? '') : {};
    const options: RequestOptions = {
      ...rest,
      agent: this.#agent,
      host: bare(hostname),
      port,
      path: isForwarded ? `${origin}${path}` : path,
      headers: Array.isArray(headers)
        ? [...(headers as string[]), ...Object.entries(further).flat()]
        : { Host: host, ...headers, ...further },
    };
    const asking = (this.#isSecure ? secure : plain)(options, response => {
      const refusal = isForwarded ? refusalOf(response) : undefined;
      if (refusal === undefined) answered(response);
      else asking.destroy(new Error(`${nameOf(this.#proxy ?? '')} ${refusal}`));
    });
    return asking;
  }

  /** Ends all connections. */
  close(): void {
    this.#agent.destroy();
  }
}

/** The URL of the proxy for requests to a URL, as the variables give it. Loopback has none. */
export function proxyFor(target: URL): string | undefined {
  const isLoopback = /^127\.[\d.]+$|(^|\.)localhost$|^\[::1\]$/.test(target.hostname);
  return isLoopback ? undefined : getProxyForUrl(target) || undefined;
}

/** What a proxy responds in the place of the server, as a clause; `undefined`: the server itself responds. */
function refusalOf({ statusCode = 0, statusMessage = '', headers }: IncomingMessage): string | undefined {
  const { 'x-squid-error': squid, 'proxy-status': status } = headers; // `Proxy-Status`: RFC 9209
  const why = squid ?? (status?.includes('error=') ? status : undefined);
  if (statusCode !== 407 && (why === undefined || statusCode < 400)) return undefined;
  return `sent a response of its own: ${statusCode} ${statusMessage}${why === undefined ? '' : ` (${String(why)})`}`;
}

function connectThrough(agent: Agent, proxy: string, target: URL): void {
  const connectDirectly = agent.createConnection.bind(agent);
  const isSecure = agent instanceof SecureAgent;
  agent.createConnection = (options, done) => {
    const ready = isSecure
      ? tunnel(proxy, target).then(socket => connectDirectly({ ...options, socket } as typeof options) as Socket)
      : connected(proxy);
    ready.then(
      socket => done?.(null, socket),
      (error: Error) => done?.(new Error(`${nameOf(proxy)} ${error.message}`), new Socket()),
    );
    return undefined;
  };
}

/** A connection to the proxy itself. Rejects with a clause. */
function connected(proxy: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const { protocol = '', hostname = '', port = '' } = URL.canParse(proxy) ? new URL(proxy) : {};
    const isSecure = protocol === 'https:';
    if (!isSecure && protocol !== 'http:') {
      reject(new Error('is not supported: use an http(s) URL, or name the server in NO_PROXY'));
      return;
    }
    const host = bare(hostname);
    const address = { host, port: Number(port || (isSecure ? 443 : 80)) };
    const socket = isSecure
      ? connectSecurely({ ...address, ...(isIP(host) === 0 && { servername: host }) })
      : connect(address);
    const fail = (error: Error) => reject(new Error(`cannot be reached: ${connectionFailure(error)}`));
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error(SLOW)));
    socket.once('error', fail);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      socket.setTimeout(0);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

/** A connection to the target, opened by the proxy. Rejects with a clause. */
async function tunnel(proxy: string, target: URL): Promise<Socket> {
  const socket = await connected(proxy);
  const address = `${target.hostname}:${target.port || 443}`;
  const headers = { Host: address, ...authorization(proxy) };
  const asking = plain({ method: 'CONNECT', path: address, headers, createConnection: () => socket });
  return new Promise((resolve, reject) => {
    asking.setTimeout(PATIENCE_MS, () => asking.destroy(new Error(SLOW)));
    asking.once('error', error => reject(new Error(`failed: ${connectionFailure(error)}`)));
    asking.once('connect', ({ statusCode = 0, statusMessage = '' }) => {
      socket.setTimeout(0);
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`refuses to connect to ${address}: ${statusCode} ${statusMessage}`.trim()));
    });
    asking.end();
  });
}

const SLOW = `no response within ${PATIENCE_MS / 1000} s`;

function authorization(proxy: string): Record<string, string> {
  const { username = '', password = '' } = URL.canParse(proxy) ? new URL(proxy) : {};
  if (username === '') return {};
  const account = `${decoded(username) ?? username}:${decoded(password) ?? password}`;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(account).toString('base64')}` };
}

/** Without credentials. */
function nameOf(proxy: string): string {
  return `the proxy ${proxy.replace(/^([^/]*\/\/)[^@]*@/, '$1').replace(/\/$/, '')}`;
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
