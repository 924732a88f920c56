// A server that passes requests on to another one as they are, byte for byte and as they come, and keeps the beginning of each exchange to be looked at.
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as plain,
  type RequestOptions,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Agent as SecureAgent, request as secure } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ForwardingSettings {
  /** The base URL of the other server. */
  readonly target: string;
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** Milliseconds until the answer has to begin, and then between its parts. */
  readonly timeout: number;
  readonly maxConnections: number;
  /** Whether certificates that nobody vouches for are taken. */
  readonly insecure: boolean;
  /** Called when an exchange has come to its end. */
  readonly exchanged: (exchange: ForwardedExchange) => void;
}

/** A message as far as it is kept. */
export interface SeenMessage {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** Whether `bytes` is all of it. */
  readonly isWhole: boolean;
}

export interface ForwardedExchange {
  readonly method: string;
  /** Path and query, as they came. */
  readonly url: string;
  readonly request: SeenMessage;
  readonly status: number;
  /** Absent: the other server gave no whole answer, and `problem` says why. */
  readonly answer?: SeenMessage;
  readonly problem?: string;
  /** Milliseconds. */
  readonly duration: number;
}

export interface Forwarding {
  /** Without a slash at the end. */
  readonly url: string;
  /** Ends it with every connection. */
  close(): Promise<void>;
}

/** Bytes of a body that are kept. */
const MOST_BYTES = 1024 * 1024;

/** Headers of one connection (RFC 9110, 7.6.1). What `Connection` names is of it too. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Listens. Rejects with the error of Node where it cannot. */
export async function forward(settings: ForwardingSettings): Promise<Forwarding> {
  const { target, host, port, maxConnections, insecure } = settings;
  const { protocol } = new URL(target);
  const sockets = { keepAlive: true, maxSockets: maxConnections };
  const agent =
    protocol === 'https:' ? new SecureAgent({ ...sockets, rejectUnauthorized: !insecure }) : new Agent(sockets);
  const server = createServer((req, res) => {
    if (isOwnHost(req, host)) pass(req, res, agent, settings);
    else answerItself(res, 421, `This proxy does not answer to the host ${JSON.stringify(req.headers.host ?? '')}.`);
  });
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const close = async () => {
    const closed = new Promise(resolve => server.close(resolve));
    server.closeAllConnections();
    agent.destroy();
    await closed;
  };
  return { url: urlOf(server, host), close };
}

function urlOf(server: Server, host: string): string {
  const { port, family, address } = server.address() as AddressInfo; // it listens on a port
  return `http://${host === 'localhost' ? host : family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Whether a request means this proxy: a web page cannot bind a name of its own to it. */
function isOwnHost({ headers, socket }: IncomingMessage, host: string): boolean {
  const name = (headers.host ?? '').replace(/:\d*$/, '').toLowerCase();
  return ['localhost', '127.0.0.1', '[::1]', host, socket.localAddress ?? '', `[${socket.localAddress}]`].includes(
    name,
  );
}

function pass(req: IncomingMessage, res: ServerResponse, agent: Agent, settings: ForwardingSettings): void {
  const { target, timeout, exchanged } = settings;
  const { method = '', url = '' } = req;
  const began = performance.now();
  const request = new Beginning(req);
  const end = (status: number, rest: Pick<ForwardedExchange, 'answer' | 'problem'>) => {
    const duration = performance.now() - began;
    exchanged({ method, url, request: request.seen, status, duration, ...rest });
  };
  let isOver = false;
  const fail = (problem: string, status = 502) => {
    if (isOver) return;
    isOver = true;
    if (res.headersSent) res.destroy();
    else answerItself(res, status, problem);
    end(status, { problem });
  };
  const asking = ask(target, req, agent);
  asking.setTimeout(timeout, () => {
    fail(`${target} did not answer within ${timeout / 1000} s.`, 504);
    asking.destroy();
  });
  asking.on('error', (error: NodeJS.ErrnoException) => fail(`${target} cannot be asked: ${reasonOf(error)}.`));
  asking.on('response', answer => {
    const kept = new Beginning(answer);
    const status = answer.statusCode ?? 502;
    res.writeHead(status, answer.statusMessage, passedOn(answer));
    answer.pipe(res);
    answer.on('aborted', () => fail(`${target} broke off its answer.`));
    answer.on('end', () => {
      if (isOver) return;
      isOver = true;
      end(status, { answer: kept.seen });
    });
  });
  res.on('close', () => {
    if (!res.writableFinished) asking.destroy(new Error('the client has gone'));
  });
  req.pipe(asking);
}

function ask(target: string, req: IncomingMessage, agent: Agent) {
  const { protocol, hostname, port, host, pathname } = new URL(target);
  const headers = passedOn(req, new Set(['host', 'expect']));
  if (req.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
  const options: RequestOptions = {
    agent,
    host: hostname.replace(/^\[|\]$/g, ''),
    port,
    method: req.method,
    path: `${pathname.replace(/\/$/, '')}${req.url}`,
    headers: ['Host', host, ...headers],
  };
  return (protocol === 'https:' ? secure : plain)(options);
}

/** Names and values in turn, as they came, without those of the connection. */
function passedOn({ rawHeaders, headers }: IncomingMessage, without: ReadonlySet<string> = new Set()): string[] {
  const named = (headers.connection ?? '').split(',').map(name => name.trim().toLowerCase());
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    const lower = name.toLowerCase();
    if (!HOP_BY_HOP.has(lower) && !named.includes(lower) && !without.has(lower)) kept.push(name, value);
  }
  return kept;
}

function answerItself(res: ServerResponse, status: number, detail: string): void {
  const text = JSON.stringify({ status, title: 'The proxy answers itself', detail });
  res.writeHead(status, { 'Content-Type': 'application/problem+json', 'Content-Length': Buffer.byteLength(text) });
  res.end(text);
}

function reasonOf({ code = '', message }: NodeJS.ErrnoException): string {
  if (code === 'ECONNREFUSED') return 'the connection is refused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'there is no host of that name';
  if (code === 'ECONNRESET') return 'the connection ends without an answer';
  if (code === 'EPROTO') return 'it speaks no TLS: is it http://?';
  if (code.startsWith('HPE_')) return 'what comes back is no HTTP';
  if (/self.signed|certificate|CERT_/i.test(`${code} ${message}`))
    return `its certificate is not trusted (${message}); --insecure takes it all the same`;
  return message === '' ? code : message;
}

/** Keeps the beginning of a message that somebody else reads. */
class Beginning {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(private readonly message: IncomingMessage) {
    message.on('data', (chunk: Buffer) => {
      if (this.#size < MOST_BYTES) this.#chunks.push(chunk);
      this.#size += chunk.length;
    });
  }

  get seen(): SeenMessage {
    const { headers } = this.message;
    return { headers, bytes: Buffer.concat(this.#chunks), isWhole: this.#size <= MOST_BYTES && this.message.complete };
  }
}
