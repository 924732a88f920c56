// A small Pact Broker for tests: its links and forms as the real one has them, what it is asked is kept, and it can be made to misbehave.
// Chooses no versions: what selectors would choose is given to it.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HeldPact {
  readonly pact: Readonly<Record<string, unknown>>;
  readonly isPending?: boolean;
  /** Among the pacts only where those in work are asked for. */
  readonly isInWork?: boolean;
}

interface BrokerForm {
  readonly pacts: readonly HeldPact[];
  readonly token?: string;
  /** `user:password`. */
  readonly basic?: string;
  /** A link that it does not have, as an older broker. */
  readonly lacks?: 'pb:provider-pacts-for-verification' | 'pb:branch-version';
  /** Below this path, such as `/broker`. */
  readonly context?: string;
  /** What it takes itself to be, as one behind a proxy that does not tell it. */
  readonly base?: string;
  /** Another response to requests whose path it matches; `hang`: none. */
  readonly instead?: { readonly path: RegExp; readonly response: 'hang' | ApiResponse };
}

export interface ApiResponse {
  readonly status: number;
  readonly type?: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly authorization?: string;
  /** Parsed. */
  readonly body?: unknown;
}

export interface HalBroker {
  readonly url: string;
  /** In their order. */
  readonly asked: readonly Asked[];
  /** The bodies and paths of one method. */
  by(method: 'POST' | 'PUT'): readonly Asked[];
  close(): Promise<void>;
}

/** Starts brokers that are closed after each test of the enclosing `describe`. */
export function useBrokers(): (form: BrokerForm) => Promise<HalBroker> {
  const open: HalBroker[] = [];
  afterEach(async () => {
    for (const broker of open.splice(0)) await broker.close();
  });
  return async form => {
    const broker = await halBroker(form);
    open.push(broker);
    return broker;
  };
}

export async function halBroker(form: BrokerForm): Promise<HalBroker> {
  const asked: Asked[] = [];
  const server = createServer((request, res) => void receive(request, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const context = form.context ?? '';
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${context}`; // it listens on a port
  const held = new Held(form, form.base ?? url);

  async function receive(request: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const { method = '', url: target = '', headers } = request;
    const { authorization } = headers;
    asked.push({
      method,
      path: target,
      ...(authorization !== undefined && { authorization }),
      ...(body !== '' && { body: JSON.parse(body) as unknown }),
    });
    const response = form.instead?.path.test(target) ? form.instead.response : responseTo();
    if (response !== 'hang')
      res
        .writeHead(response.status, {
          'Content-Type': response.type ?? 'application/hal+json;charset=utf-8',
          ...response.headers,
        })
        .end(response.body);

    function responseTo(): ApiResponse {
      if (!held.lets(authorization)) return { status: 401, type: 'text/plain', body: 'Unauthorized' };
      if (context !== '' && target !== context && !target.startsWith(`${context}/`))
        return { status: 404, type: 'text/html', body: '' };
      return held.respond(method, target.slice(context.length), body === '' ? {} : JSON.parse(body));
    }
  }

  return {
    url,
    asked,
    by: method => asked.filter(one => one.method === method),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The body of a question for pacts to verify, in so far as it is heeded here. */
interface Query {
  readonly consumerVersionSelectors?: ReadonlyArray<Readonly<Record<string, unknown>>>;
  readonly includePendingStatus?: boolean;
  readonly includeWipPactsSince?: string;
}

/** What a broker holds, and its responses. */
class Held {
  constructor(
    private readonly form: BrokerForm,
    private readonly base: string,
  ) {}

  lets(authorization: string | undefined): boolean {
    const { token, basic } = this.form;
    if (token !== undefined) return authorization === `Bearer ${token}`;
    return basic === undefined || authorization === `Basic ${Buffer.from(basic).toString('base64')}`;
  }

  respond(method: string, path: string, body: unknown): ApiResponse {
    const parts = path.split('/').slice(1).map(decodeURIComponent);
    const [first, , provider = ''] = parts;
    if (path === '' || path === '/') return ok(this.#index());
    if (first === 'pacticipants') return this.#pacticipant(method, parts);
    if (first !== 'pacts' || this.#of(provider).length === 0) return { status: 404, type: 'text/html', body: '' };
    if (path.endsWith('/for-verification')) {
      return method === 'POST'
        ? this.#toVerify(provider, body as Query)
        : ok({ _links: { self: { href: `${this.base}${path}` } } }); // a verifier's question
    }
    const pact = this.form.pacts.find(one => this.#path(one) === path.replace(/\/verification-results$/, ''));
    if (pact === undefined) return { status: 404, type: 'text/html', body: '' };
    return path.endsWith('/verification-results') ? { ...ok({ ...Object(body) }), status: 201 } : ok(this.#pact(pact));
  }

  #index(): object {
    const link = (path: string) => ({ href: `${this.base}${path}`, templated: true });
    return {
      _links: {
        self: { href: this.base, title: 'Index', templated: false },
        'pb:latest-provider-pacts': link('/pacts/provider/{provider}/latest'),
        ...(this.form.lacks !== 'pb:provider-pacts-for-verification' && {
          'pb:provider-pacts-for-verification': link('/pacts/provider/{provider}/for-verification'),
        }),
        curies: [{ name: 'pb', href: `${this.base}/doc/{rel}?context=index`, templated: true }],
      },
    };
  }

  #pacticipant(method: string, [, name = '', ...rest]: readonly string[]): ApiResponse {
    if (method === 'PUT') return { ...ok({ put: rest }), status: 201 };
    const at = `${this.base}/pacticipants/${encodeURIComponent(name)}`;
    const branch = { href: `${at}/branches/{branch}/versions/{version}`, templated: true };
    return ok({
      name,
      _links: {
        self: { href: at },
        'pb:version-tag': { href: `${at}/versions/{version}/tags/{tag}`, templated: true },
        ...(this.form.lacks !== 'pb:branch-version' && { 'pb:branch-version': branch }),
      },
    });
  }

  #toVerify(provider: string, query: Query): ApiResponse {
    const { consumerVersionSelectors = [], includePendingStatus = false, includeWipPactsSince } = query;
    if (consumerVersionSelectors.some(({ environment }) => environment === 'nowhere'))
      return {
        ...ok({
          errors: { consumerVersionSelectors: ["environment with name 'nowhere' does not exist (at index 0)"] },
        }),
        status: 400,
      };
    const pacts = this.#of(provider).filter(({ isInWork }) => !isInWork || includeWipPactsSince !== undefined);
    const listed = pacts.map(one => ({
      shortDescription: 'latest from main branch',
      verificationProperties: {
        ...(includePendingStatus && { pending: one.isPending === true || one.isInWork === true }),
        ...(one.isInWork && { wip: true }),
        notices: [
          {
            when: 'before_verification',
            text: `The pact at ${this.#self(one).href} is being verified because it is the latest.`,
          },
          { when: 'after_verification:success_true_published_false', text: 'Publish it.' },
        ],
      },
      _links: { self: this.#self(one) },
    }));
    return ok({ _embedded: { pacts: listed }, _links: { self: { href: `${this.base}/for-verification` } } });
  }

  #pact(one: HeldPact): object {
    const { interactions } = one.pact;
    const withIds = (interactions as readonly object[]).map(interaction => ({
      ...interaction,
      _id: idOf(interaction),
    })); // a test's own pact
    const provider = encodeURIComponent(nameOf(one.pact.provider));
    return {
      ...one.pact,
      interactions: withIds,
      createdAt: '2026-11-05T10:00:00+00:00',
      _links: {
        self: this.#self(one),
        'pb:provider': { title: 'Provider', href: `${this.base}/pacticipants/${provider}` },
        'pb:publish-verification-results': { href: `${this.#self(one).href}/verification-results` },
      },
    };
  }

  #of(provider: string): HeldPact[] {
    return this.form.pacts.filter(({ pact }) => nameOf(pact.provider) === provider);
  }

  #path({ pact }: HeldPact): string {
    const sha = createHash('sha1').update(JSON.stringify(pact)).digest('hex');
    const [provider, consumer] = [nameOf(pact.provider), nameOf(pact.consumer)].map(encodeURIComponent);
    return `/pacts/provider/${provider}/consumer/${consumer}/pact-version/${sha}`;
  }

  #self(one: HeldPact): { readonly href: string; readonly name: string } {
    return { href: `${this.base}${this.#path(one)}`, name: 'Pact' };
  }
}

/** As a broker names an interaction. */
export function idOf(interaction: object): string {
  return createHash('sha1').update(JSON.stringify(interaction)).digest('hex');
}

function nameOf(party: unknown): string {
  return String(Object(party).name);
}

function ok(body: object): ApiResponse {
  return { status: 200, body: JSON.stringify(body) };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}
