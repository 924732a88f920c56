// The connections to the target, within a limit; all are closed at the end.
import { isIP, connect as plain, type Socket } from 'node:net';
import { connect as secure } from 'node:tls';
import { connectionFailure } from '../derive/text/connection-failure.js';
import { Unreachable } from '../scenario/play/target.js';
import { Line } from './line.js';

/** Timeout of connecting. */
const CONNECT_MS = 5_000;

export class Wire {
  readonly #open = new Set<Line>();
  readonly #host: string;
  readonly #port: number;
  readonly #isSecure: boolean;

  /** `most`: maximum parallel connections. The signal closes all and prevents new ones. */
  constructor(
    { protocol, hostname, port }: URL,
    readonly most: number,
    private readonly signal: AbortSignal,
  ) {
    this.#isSecure = protocol === 'https:';
    this.#host = hostname.replace(/^\[|\]$/g, '');
    this.#port = Number(port) || (this.#isSecure ? 443 : 80);
    signal.addEventListener('abort', () => this.close(), { once: true });
  }

  /** Number of further allowed connections. */
  get room(): number {
    return this.most - this.#open.size;
  }

  /** Why no request is possible any more: later findings say nothing about the server. */
  get over(): Unreachable | undefined {
    if (!this.signal.aborted) return undefined;
    const reason: unknown = this.signal.reason;
    return reason instanceof Unreachable ? reason : new Unreachable('not finished: the run was interrupted');
  }

  /** A new connection; `address`: instead of the target's. Rejects with `Unreachable` if it fails. */
  open(address = this.#host): Promise<Line> {
    return this.#opened(() => this.#connected(address, this.#isSecure));
  }

  /** The same without TLS, to a port of HTTPS too. */
  openPlain(): Promise<Line> {
    return this.#opened(() => this.#connected(this.#host, false));
  }

  get isSecure(): boolean {
    return this.#isSecure;
  }

  async #opened(connect: () => Promise<Socket>): Promise<Line> {
    if (this.over !== undefined) throw this.over;
    if (this.room <= 0) throw new Unreachable(`${this.most} connections are open, and no more are allowed here`);
    const line = new Line(await connect());
    this.#open.add(line);
    void line.closed.then(() => this.#open.delete(line));
    return line;
  }

  close(): void {
    for (const line of this.#open) line.end();
  }

  #connected(host: string, isSecure: boolean): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const to = { host, port: this.#port };
      const socket = isSecure ? secure({ ...to, ...this.#trust() }) : plain(to);
      const fail = (says: string) => {
        clearTimeout(timer);
        socket.destroy();
        reject(new Unreachable(`${host}:${this.#port} does not answer: ${says}`));
      };
      const timer = setTimeout(() => fail(`no connection within ${CONNECT_MS / 1000} s`), CONNECT_MS);
      const onError = (error: Error) => fail(connectionFailure(error));
      socket.once('error', onError);
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer);
        socket.off('error', onError);
        resolve(socket);
      });
    });
  }

  /** On this machine any certificate is accepted. IP addresses are not valid server names in TLS. */
  #trust(): { readonly servername?: string; readonly rejectUnauthorized: boolean } {
    const isHere = /^(localhost|::1|127\.\d+\.\d+\.\d+)$/.test(this.#host);
    return { rejectUnauthorized: !isHere, ...(isIP(this.#host) === 0 && { servername: this.#host }) };
  }
}
