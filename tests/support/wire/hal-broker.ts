// A small Pact Broker: its links and forms as the real one has them. It keeps what it is asked, chooses no versions, and can be made to misbehave.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening } from './server.js';

export interface HeldPact {
  readonly pact: Readonly<Record<string, unknown>>;
  readonly isPending?: boolean;
  /** Listed only if pacts in work are asked for. */
  readonly isInWork?: boolean;
}

interface BrokerForm {
  readonly pacts: readonly HeldPact[];
  readonly token?: string;
  /** `user:password`. */
  readonly basic?: string;
  /** A link that an older broker does not have. */
  readonly lacks?: 'pb:branch-version';
  readonly context?: string;
  /** Its URL as it believes, behind a proxy that does not tell it. */
  readonly base?: string;
  /** Another response to paths that match; `hang`: none. */
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
  readonly body?: unknown;
}

export interface HalBroker {
  readonly url: string;
  readonly asked: readonly Asked[];
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
  const { context = '', token, basic, instead } = form;
  const right = token === undefined ? basic && `Basic ${btoa(basic)}` : `Bearer ${token}`;
  const asked: Asked[] = [];
  const server = createServer();
  const url = `${await listening(server)}${context}`;
  const respond = responding(form, form.base ?? url);
  server.on('request', async (request, res) => {
    const { method = '', url: path = '', headers } = request;
    const { authorization } = headers;
    const sent = await text(request);
    const body = sent === '' ? undefined : (JSON.parse(sent) as unknown);
    asked.push({ method, path, ...(authorization !== undefined && { authorization }), ...(sent !== '' && { body }) });
    const isBelow = context === '' || path === context || path.startsWith(`${context}/`);
    const own = isBelow ? respond(method, path.slice(context.length), body) : nowhere;
    const due = right === undefined || authorization === right ? own : unauthorized;
    const response = instead?.path.test(path) ? instead.response : due;
    if (response === 'hang') return;
    const type = response.type ?? 'application/hal+json;charset=utf-8';
    res.writeHead(response.status, { 'Content-Type': type, ...response.headers }).end(response.body);
  });
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

const ok = (body: object, status = 200): ApiResponse => ({ status, body: JSON.stringify(body) });
const nowhere: ApiResponse = { status: 404, type: 'text/html', body: '' };
const unauthorized: ApiResponse = { status: 401, type: 'text/plain', body: 'Unauthorized' };
const sha = (value: object) => createHash('sha1').update(JSON.stringify(value)).digest('hex');
const nameOf = (party: unknown) => String(Object(party).name);

/** As a broker names an interaction. */
export const idOf = (interaction: object): string => sha(interaction);

/** The responses of a broker that takes `base` for its URL. */
function responding({ pacts, lacks }: BrokerForm, base: string) {
  const pathTo = ({ pact }: HeldPact) => {
    const [provider, consumer] = [nameOf(pact.provider), nameOf(pact.consumer)].map(encodeURIComponent);
    return `/pacts/provider/${provider}/consumer/${consumer}/pact-version/${sha(pact)}`;
  };
  const selfOf = (one: HeldPact) => ({ href: `${base}${pathTo(one)}`, name: 'Pact' });

  const index = () =>
    ok({
      _links: {
        self: { href: base, title: 'Index', templated: false },
        'pb:provider-pacts-for-verification': {
          href: `${base}/pacts/provider/{provider}/for-verification`,
          templated: true,
        },
      },
    });
  const pacticipant = (name: string) => {
    const at = `${base}/pacticipants/${encodeURIComponent(name)}`;
    const branch = { href: `${at}/branches/{branch}/versions/{version}`, templated: true };
    const tag = { href: `${at}/versions/{version}/tags/{tag}`, templated: true };
    return ok({
      name,
      _links: {
        self: { href: at },
        'pb:version-tag': tag,
        ...(lacks !== 'pb:branch-version' && { 'pb:branch-version': branch }),
      },
    });
  };
  /** `query`: the question of a verifier, as far as it is heeded here. */
  const toVerify = (held: readonly HeldPact[], query: Query) => {
    const { consumerVersionSelectors = [], includePendingStatus = false, includeWipPactsSince } = query;
    if (consumerVersionSelectors.some(({ environment }) => environment === 'nowhere')) {
      const says = ["environment with name 'nowhere' does not exist (at index 0)"];
      return ok({ errors: { consumerVersionSelectors: says } }, 400);
    }
    const listed = held.filter(({ isInWork }) => !isInWork || includeWipPactsSince !== undefined);
    const pacts = listed.map(one => {
      const text = `The pact at ${selfOf(one).href} is being verified because it is the latest.`;
      return {
        shortDescription: 'latest from main branch',
        verificationProperties: {
          ...(includePendingStatus && { pending: one.isPending === true || one.isInWork === true }),
          ...(one.isInWork && { wip: true }),
          notices: [
            { when: 'before_verification', text },
            { when: 'after_verification:success_true_published_false', text: 'Publish it.' },
          ],
        },
        _links: { self: selfOf(one) },
      };
    });
    return ok({ _embedded: { pacts }, _links: { self: { href: `${base}/for-verification` } } });
  };
  const whole = (one: HeldPact) => {
    const interactions = (one.pact.interactions as readonly object[]).map(each => ({ ...each, _id: idOf(each) }));
    const provider = `${base}/pacticipants/${encodeURIComponent(nameOf(one.pact.provider))}`;
    const results = { href: `${selfOf(one).href}/verification-results` };
    return ok({
      ...one.pact,
      interactions,
      createdAt: '2026-11-05T10:00:00+00:00',
      _links: {
        self: selfOf(one),
        'pb:provider': { title: 'Provider', href: provider },
        'pb:publish-verification-results': results,
      },
    });
  };

  return (method: string, path: string, body: unknown = {}): ApiResponse => {
    const [first, second = '', third = '', ...rest] = path.split('/').slice(1).map(decodeURIComponent);
    if (path === '' || path === '/') return index();
    if (first === 'pacticipants') return method === 'PUT' ? ok({ put: [third, ...rest] }, 201) : pacticipant(second);
    const held = pacts.filter(({ pact }) => nameOf(pact.provider) === third);
    if (first !== 'pacts' || held.length === 0) return nowhere;
    if (path.endsWith('/for-verification') && method === 'POST') return toVerify(held, body as Query);
    if (path.endsWith('/for-verification')) return ok({ _links: { self: { href: `${base}${path}` } } });
    const pact = pacts.find(one => pathTo(one) === path.replace(/\/verification-results$/, ''));
    if (pact === undefined) return nowhere;
    return path.endsWith('/verification-results') ? ok({ ...Object(body) }, 201) : whole(pact);
  };
}

interface Query {
  readonly consumerVersionSelectors?: ReadonlyArray<Readonly<Record<string, unknown>>>;
  readonly includePendingStatus?: boolean;
  readonly includeWipPactsSince?: string;
}
