// The port to a fake elsewhere, over HTTP.

import { type Action, ActionProblem } from '../../control/actions/action.js';
import { faultActions, stubActions } from '../../control/actions/armed-actions.js';
import type { Health } from '../../control/actions/health.js';
import { listingStates } from '../../control/actions/provider-state-actions.js';
import { replacingSandbox } from '../../control/actions/sandbox-actions.js';
import { patchingWorld, readingWorld } from '../../control/actions/world-actions.js';
import type { HttpRequest } from '../../derive/sending/call.js';
import { formOf } from '../../domain/form/form.js';
import { isObject, patchBetween } from '../../domain/form/patch.js';
import { parsedJson } from '../../domain/json/parsed-json.js';
import type { World } from '../../domain/world/world.js';
import type { SandboxEvent } from '../../engine/events/event.js';
import type { Origin } from '../../engine/sandbox/state.js';
import type { TlsOptions } from '../../outgoing/tls-options.js';
import { type RawResponse, Unreachable } from '../../scenario/play/target.js';
import type { ControlPort, PortInput } from './control-port.js';
import { eventsAt } from './event-source.js';
import { FakeError, failureOf } from './fake-error.js';
import { type Connection, connection } from './http-connection.js';

const PREFIX = '/_fake/v1';

/** A larger world is not sent, but named; so is one with more records, which would be larger. */
const MAX_BYTES = 1_000_000;
const MAX_RECORDS = 10_000;

export class HttpPort implements ControlPort {
  readonly #wire: Connection;
  readonly #headers: Readonly<Record<string, string>>;
  #isStopped = false;

  /** Sends no request yet. `states`: names of the provider states. */
  constructor(
    readonly url: string,
    token: string | undefined,
    readonly isExplicit = false,
    private readonly states: readonly string[] = [],
    private readonly tls?: TlsOptions,
  ) {
    this.#wire = connection(url, undefined, undefined, tls);
    this.#headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  }

  /** Resolves once the fake has answered and accepted the token. Rejects with a `FakeError`. */
  static async open(url: string, token: string | undefined, tls?: TlsOptions): Promise<HttpPort> {
    const asking = new HttpPort(url, token, false, [], tls);
    try {
      const { sandboxes } = await asking.health();
      const { scenarios, fixtures, states } = await asking.invoke(listingStates);
      const names = [...scenarios, ...fixtures, ...states].map(({ name }) => name);
      return new HttpPort(url, token, sandboxes === 'explicit', ['', ...names], tls);
    } finally {
      asking.#wire.close();
    }
  }

  async invoke<Output, Body>(action: Action<Output, Body>, input: PortInput<Body> = {}): Promise<Output> {
    const { sandbox = 'default', params = {}, body, mustExist } = input;
    const path = action.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(name === 's' ? sandbox : (params[name] ?? '')),
    );
    const prefix = action.inSandbox && sandbox !== 'default' ? `/~${sandbox}` : '';
    const response = await this.#send({
      method: action.method,
      path: `${prefix}${PREFIX}${path}${queryText(input.query)}`,
      headers: {
        ...this.#headers,
        ...(mustExist && { 'If-Match': '*' }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return outputOf(response, action) as Output; // as the action declares
  }

  async renew(
    sandbox: string,
    { world, clock, faults = [], stubs = [], scenario, profile, readings }: Origin,
  ): Promise<void> {
    const from = { readings, ...(profile !== undefined && { profile }), ...(clock !== undefined && { clock }) };
    const make = (name: string) => this.invoke(replacingSandbox, { sandbox, body: { scenario: name, ...from } });
    if (isLarge(world)) await make(scenario);
    else {
      await make('empty');
      const patch = patchBetween(await this.invoke(readingWorld, { sandbox }), formOf(world));
      if (Buffer.byteLength(JSON.stringify(patch)) > MAX_BYTES) await make(scenario);
      else await this.invoke(patchingWorld, { sandbox, body: patch });
    }
    if (faults.length > 0) await this.invoke(faultActions.setting, { sandbox, body: { faults } });
    if (stubs.length > 0) await this.invoke(stubActions.setting, { sandbox, body: { stubs } });
  }

  async health(): Promise<Health> {
    const response = await this.#send({ method: 'GET', path: '/_fake/health', headers: {} });
    const health = response.status === 200 || response.status === 503 ? parsedJson(response.text) : undefined;
    if (isHealth(health)) return health;
    throw new FakeError('No fake found', [{ message: `${this.url} responds, but it is not a cwx-fake.` }]);
  }

  /** `opened` is called when the stream has begun. */
  listen(sandbox: string, signal?: AbortSignal, opened?: () => void): AsyncIterableIterator<SandboxEvent> {
    this.check();
    return eventsAt(`${this.url}${PREFIX}/sandboxes/${sandbox}/events`, this.#headers, signal, opened, this.tls);
  }

  async ask(request: HttpRequest, signal?: AbortSignal): Promise<RawResponse> {
    this.check();
    return (await this.#wire.send(request, signal)) as RawResponse;
  }

  stateNames(): readonly string[] {
    return this.states;
  }

  check(): void {
    if (this.#isStopped) throw new FakeError('The fake cannot be reached', [{ message: 'The connection was closed.' }]);
  }

  stop(): void {
    this.#isStopped = true;
    this.#wire.close();
  }

  async #send(request: HttpRequest): Promise<RawResponse> {
    this.check();
    try {
      return await this.#wire.send(request);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      throw new FakeError('The fake cannot be reached', [{ message: `${error.message}.` }], { cause: error });
    }
  }
}

function isLarge({ users, pages, filters, dashboards }: World): boolean {
  return users.size + pages.size + filters.size + dashboards.size > MAX_RECORDS;
}

function queryText(query: PortInput<unknown>['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** The result in a response; throws for a problem. */
function outputOf(response: RawResponse, { replies }: Action): unknown {
  if (response.status < 400) {
    const contentType = replies.find(({ status }) => status === response.status)?.contentType ?? 'application/json';
    if (response.text === '') return undefined;
    return contentType.startsWith('application/json') ? parsedJson(response.text) : response.text;
  }
  throw failureOf(problemIn(response));
}

function problemIn(response: RawResponse): ActionProblem {
  const body = parsedJson(response.text);
  if (!isObject(body) || typeof body.title !== 'string' || typeof body.detail !== 'string')
    return new ActionProblem(
      response.status,
      'The fake cannot be reached',
      `It returned ${response.status}: ${response.text.slice(0, 200)}`,
    );
  const { status: _, title, detail, problems, ...more } = body;
  return new ActionProblem(
    response.status,
    title as string,
    detail as string,
    problems as ActionProblem['problems'],
    Object.keys(more).length > 0 ? more : undefined,
  );
}

function isHealth(value: unknown): value is Health {
  return isObject(value) && typeof value.version === 'string' && typeof value.scenario === 'string';
}
