// Prism, a validating proxy of somebody else, in front of whoever answers: what it finds wrong with requests and with responses.
// Knows no fake. What Prism cannot carry as it is, it is told in words that it can; who answers is asked with the request itself.
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer as createPrism } from '@stoplight/prism-http-server';
import { pino } from 'pino';
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import type { RawResponse } from '../../../server/scenario/play/target.js';

/** An OpenAPI document, as far as an address and the bodies there can be found in it. */
interface Described {
  readonly servers: ReadonlyArray<{ readonly url: string }>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
}
type Responses = Readonly<Record<string, { readonly content?: object }>>;

/** A request with its response, and what Prism finds wrong with each, in its words; and a body where the document has none, which Prism does not see. */
export interface Exchange {
  readonly asked: HttpRequest;
  readonly answered: RawResponse;
  readonly ofRequest: readonly string[];
  readonly ofResponse: readonly string[];
}

type Ask = (request: HttpRequest) => Promise<RawResponse>;

/** Names the exchange to whoever stands behind the proxy. */
const EXCHANGE = 'x-exchange';
const PATIENCE_MS = 100_000;
/** They are of one connection, and the proxy has two. */
const ofConnection = ['connection', 'content-length', 'keep-alive', 'transfer-encoding', 'host', 'expect', 'upgrade'];

export class ValidatingProxy {
  readonly #asked = new Map<string, { request: HttpRequest; ask: Ask; came?: Promise<RawResponse> }>();
  #count = 0;

  private constructor(
    private readonly url: string,
    private readonly document: Described,
    private readonly address: (path: string) => string,
    private readonly behind: Server,
    private readonly end: () => Promise<void>,
  ) {
    behind.on('request', ({ headers }, response: ServerResponse) => {
      void this.#respond(String(headers[EXCHANGE]), response);
    });
  }

  static async start(document: object): Promise<ValidatingProxy> {
    const behind = createServer().listen(0, '127.0.0.1');
    await once(behind, 'listening');
    const { port } = behind.address() as AddressInfo; // it listens on a port, so it is no pipe
    // Typed by an older pino than ours, of which it calls the same methods.
    const logger = pino({ level: 'silent' }) as unknown as Parameters<typeof createPrism>[1]['components']['logger'];
    const prism = createPrism(await getHttpOperationsFromSpec(document), {
      components: { logger },
      cors: false,
      config: {
        isProxy: true,
        upstream: new URL(`http://127.0.0.1:${port}`),
        upstreamProxy: undefined,
        checkSecurity: true,
        validateRequest: true,
        validateResponse: true,
        errors: false,
        mock: { dynamic: false },
      },
    });
    const url = await prism.listen(0, '127.0.0.1');
    const described = document as Described; // Prism has read it
    return new ValidatingProxy(url, described, belowServer(described), behind, () => prism.close());
  }

  /** Asks through the proxy. Rejects as `ask` does, where a response does not come whole. */
  async pass(request: HttpRequest, ask: Ask): Promise<Exchange> {
    const id = String(++this.#count);
    const exchange: { request: HttpRequest; ask: Ask; came?: Promise<RawResponse> } = { request, ask };
    this.#asked.set(id, exchange);
    try {
      const reply = await this.#send(request, id);
      if (exchange.came === undefined)
        throw new Error(`Prism answered ${shown(request)} itself: ${await reply.text()}`);
      const answered = await exchange.came;
      await reply.arrayBuffer();
      const besides = reply.status === answered.status ? [] : [`Prism cannot read the response: ${reply.status}`];
      if (answered.bytes.length > 0 && this.#isBodiless(request, answered.status))
        besides.push('Unexpected body, but the document has none.'); // Prism lets any pass there
      return { asked: request, answered, ...violationsIn(reply.headers.get('sl-violations'), besides) };
    } finally {
      this.#asked.delete(id);
    }
  }

  async stop(): Promise<void> {
    await this.end();
    this.behind.closeAllConnections();
    this.behind.close();
    await once(this.behind, 'close');
  }

  #isBodiless({ method, path }: HttpRequest, status: number): boolean {
    const { paths } = this.document;
    const template = Object.keys(paths).find(one => pathPattern(one).test(this.address(path)));
    const reply = paths[template ?? '']?.[method.toLowerCase()]?.responses[status];
    return reply !== undefined && reply.content === undefined;
  }

  #send(request: HttpRequest, id: string): Promise<Response> {
    const { method, path, headers } = request;
    const carried = Object.entries(headers).filter(([name]) => !ofConnection.includes(name.toLowerCase()));
    const body = carriedBody(request);
    return fetch(`${this.url}${this.address(path)}`, {
      method,
      headers: [...carried.map(([name, value]): [string, string] => [name, value]), [EXCHANGE, id]],
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch(error => {
      throw new Error(`Prism gives no response to ${shown(request)}`, { cause: error });
    });
  }

  /** Stands behind the proxy: asks with the request itself, and hands on what comes. */
  async #respond(id: string, response: ServerResponse): Promise<void> {
    const exchange = this.#asked.get(id);
    if (exchange === undefined) {
      response.destroy();
      return;
    }
    exchange.came = exchange.ask(exchange.request);
    try {
      const { status, fields, bytes } = await exchange.came;
      for (const [name, value] of fields) if (!ofConnection.includes(name)) response.appendHeader(name, value);
      response.writeHead(status).end(bytes);
    } catch {
      response.destroy(); // whoever asked is told by the promise
    }
  }
}

/**
 * Prism breaks off where a body that says it is JSON is none, and loses one that is null, false, 0 or an empty text: it is told the text as
 * JSON, which is no object and no list either.
 */
function carriedBody({ method, headers, body }: HttpRequest): string | Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined || method === 'GET' || method === 'HEAD') return undefined;
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return /[/+]json\b/i.test(type) && !isKept(text) ? JSON.stringify(text) : text;
}

function isKept(text: string): boolean {
  try {
    return Boolean(JSON.parse(text));
  } catch {
    return false; // that is the question
  }
}

/** The path as the document writes it, below one of its servers: Prism knows nothing of what servers begin with. */
function belowServer({ servers, paths }: Described): (path: string) => string {
  const bases = servers.map(({ url }) => patternOf(new URL(url.replaceAll('{', '%7B')).pathname.replace(/\/$/, '')));
  const known = Object.keys(paths).map(pathPattern);
  return path => {
    for (const base of bases) {
      const below = new RegExp(`^${base}(/.*)$`).exec(path)?.[1];
      if (below !== undefined && known.some(one => one.test(below))) return below;
    }
    return path;
  };
}

function pathPattern(path: string): RegExp {
  return new RegExp(`^${patternOf(path)}(?:\\?|$)`);
}

function patternOf(template: string): string {
  return template
    .replaceAll('%7B', '{')
    .replaceAll('%7D', '}')
    .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replace(/\{\w+\}/g, '[^/?]+');
}

/** What does not fit into a header is cut off by Prism: the findings that are whole count, those of the request first. */
const CUT = 'Too many violations! ';

function violationsIn(header: string | null, besides: readonly string[]): Pick<Exchange, 'ofRequest' | 'ofResponse'> {
  const text = header ?? '[]';
  const whole = text.startsWith(CUT) ? `${text.slice(CUT.length, text.lastIndexOf('},{') + 1)}]` : text;
  // As Prism documents it: a list of findings, each with the place where it was found.
  const found = JSON.parse(whole) as ReadonlyArray<{ location: readonly string[]; message: string }>;
  const of = (side: string) => found.filter(({ location: [first] }) => first === side).map(({ message }) => message);
  return { ofRequest: of('request'), ofResponse: [...of('response'), ...besides] };
}

function shown({ method, path }: HttpRequest): string {
  return `${method} ${path}`;
}
