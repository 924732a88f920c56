// Another server to which requests are passed on as they are, byte for byte and as they come. Knows neither Koa nor any API.
import { randomBytes } from 'node:crypto';
import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as plain,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { Agent as SecureAgent, request as secure } from 'node:https';
import { PROBLEM, problemText } from '../guards/refuse.js';

export interface UpstreamSettings {
  /** The base URL of the other server, without a slash at the end. */
  readonly target: string;
  /** Milliseconds until the answer has to begin, and then between its parts. */
  readonly timeout: number;
  /** 0: no limit. */
  readonly maxConnections: number;
  /** Whether certificates that nobody vouches for are taken. */
  readonly insecure?: boolean;
  /** What can be done about such a certificate, for the end of a sentence. */
  readonly trusting: string;
}

/** How one request is passed on. */
export interface Passing {
  /** Path and query, below the base URL. */
  readonly url: string;
  /** Whether a header of the request stays here, by its name in small letters; those of the connection do in any case. */
  readonly isOwn: (name: string, value: string) => boolean;
  /** The same of the answer. */
  readonly isHidden?: (name: string) => boolean;
  /** Names and values in turn: what the answer gets besides. */
  readonly further?: readonly string[];
  /** Bytes of each body that are kept to be looked at. */
  readonly kept: number;
  /** Called when the exchange has come to its end. */
  readonly ended: (exchange: ForwardedExchange) => void;
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
  /** Path and query, as they were passed on. */
  readonly url: string;
  readonly request: SeenMessage;
  readonly status: number;
  /** Absent: the other server gave no whole answer, and `problem` says why. */
  readonly answer?: SeenMessage;
  readonly problem?: string;
  /** Milliseconds. */
  readonly duration: number;
}

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

export class Upstream {
  readonly #agent: Agent;
  readonly #target: URL;
  /** This server in `Via` (RFC 9110, 7.6.3), by which a circle is known. */
  readonly #via = `1.1 cwx-fake-${randomBytes(4).toString('hex')}`;

  constructor(private readonly settings: UpstreamSettings) {
    const { target, maxConnections, insecure = false } = settings;
    this.#target = new URL(target);
    const sockets = { keepAlive: true, maxSockets: maxConnections || Number.POSITIVE_INFINITY };
    this.#agent =
      this.#target.protocol === 'https:'
        ? new SecureAgent({ ...sockets, rejectUnauthorized: !insecure })
        : new Agent(sockets);
  }

  /** Ends all connections to it. */
  close(): void {
    this.#agent.destroy();
  }

  pass(req: IncomingMessage, res: ServerResponse, passing: Passing): void {
    const { target, timeout, trusting } = this.settings;
    const exchange = new Exchanging(req, res, passing);
    if (req.headers.via?.includes(this.#via)) {
      exchange.fail(`${target} sends requests back to this server, so that this one would go in a circle.`, 508);
      return;
    }
    const asking = this.#ask(req, passing);
    asking.setTimeout(timeout, () => {
      exchange.fail(`${target} did not answer within ${timeout / 1000} s.`, 504);
      asking.destroy();
    });
    asking.on('error', (error: NodeJS.ErrnoException) =>
      exchange.fail(`${target} cannot be asked: ${reasonOf(error, trusting)}.`),
    );
    asking.on('response', answer => {
      answer.on('aborted', () => exchange.fail(`${target} broke off its answer.`));
      exchange.answer(answer);
    });
    res.on('close', () => {
      if (res.writableFinished) return;
      exchange.fail('The client went away before it had the whole answer.');
      asking.destroy();
    });
    req.pipe(asking);
  }

  #ask(req: IncomingMessage, { url, isOwn }: Passing): ClientRequest {
    const { protocol, hostname, port, host, pathname } = this.#target;
    const headers = passedOn(req, (name, value) => name === 'host' || name === 'expect' || isOwn(name, value));
    if (req.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
    const options: RequestOptions = {
      agent: this.#agent,
      host: hostname.replace(/^\[|\]$/g, ''),
      port,
      method: req.method,
      path: `${pathname.replace(/\/$/, '')}${url}`,
      headers: ['Host', host, ...headers, 'Via', this.#via],
    };
    return (protocol === 'https:' ? secure : plain)(options);
  }
}

/** One request on its way, and its answer on the way back. It ends once. */
class Exchanging {
  readonly #began = performance.now();
  readonly #request: Beginning;
  #status = 502;
  #isOver = false;

  constructor(
    private readonly req: IncomingMessage,
    private readonly res: ServerResponse,
    private readonly passing: Passing,
  ) {
    this.#request = new Beginning(req, passing.kept);
  }

  answer(answer: IncomingMessage): void {
    if (this.#isOver) return;
    const { res, passing } = this;
    const { isHidden = () => false, further = [], kept } = passing;
    const seen = new Beginning(answer, kept);
    this.#status = answer.statusCode ?? 502;
    res.writeHead(this.#status, answer.statusMessage, [...passedOn(answer, isHidden), ...further]);
    answer.on('end', () => this.#end(this.#status, { answer: seen.seen }));
    answer.pipe(res);
  }

  /** Where nothing has been answered yet, the client is told; an answer that has begun breaks off. */
  fail(problem: string, status = 502): void {
    if (this.#isOver) return;
    const { res } = this;
    const hasBegun = res.headersSent;
    if (hasBegun) res.destroy();
    else this.#answerItself(status, problem);
    this.#end(hasBegun ? this.#status : status, { problem });
  }

  #answerItself(status: number, detail: string): void {
    const text = problemText(status, 'Nothing came back from the other server', detail);
    const own = ['Content-Type', PROBLEM, 'Content-Length', String(Buffer.byteLength(text))];
    this.res.writeHead(status, [...own, ...(this.passing.further ?? [])]);
    this.res.end(text);
  }

  #end(status: number, rest: Pick<ForwardedExchange, 'answer' | 'problem'>): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { method = '' } = this.req;
    const { url, ended } = this.passing;
    ended({ method, url, request: this.#request.seen, status, duration: performance.now() - this.#began, ...rest });
  }
}

/** Names and values in turn, as they came, without those of the connection and those that stay. */
function passedOn({ rawHeaders, headers }: IncomingMessage, stays: (name: string, value: string) => boolean): string[] {
  const named = (headers.connection ?? '').split(',').map(name => name.trim().toLowerCase());
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    const lower = name.toLowerCase();
    if (!HOP_BY_HOP.has(lower) && !named.includes(lower) && !stays(lower, value)) kept.push(name, value);
  }
  return kept;
}

function reasonOf({ code = '', message }: NodeJS.ErrnoException, trusting: string): string {
  if (code === 'ECONNREFUSED') return 'the connection is refused';
  if (code === 'ENOTFOUND') return 'there is no host of that name';
  if (code === 'ECONNRESET') return 'the connection ends without an answer';
  if (code === 'EPROTO') return 'it speaks no TLS: is it http://?';
  if (code.startsWith('HPE_')) return 'what comes back is no HTTP';
  if (/self.signed|certificate|CERT_/i.test(`${code} ${message}`))
    return `its certificate is not trusted (${message}): ${trusting}`;
  return message === '' ? code : message;
}

/** Keeps the beginning of a message that somebody else reads. */
class Beginning {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(
    private readonly message: IncomingMessage,
    private readonly most: number,
  ) {
    if (most === 0) return;
    message.on('data', (chunk: Buffer) => {
      if (this.#size < most) this.#chunks.push(chunk);
      this.#size += chunk.length;
    });
  }

  get seen(): SeenMessage {
    const { headers } = this.message;
    return {
      headers,
      bytes: Buffer.concat(this.#chunks),
      isWhole: this.#size <= this.most && this.most > 0 && this.message.complete,
    };
  }
}
