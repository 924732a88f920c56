// The port to a fake in this process: actions run without HTTP, operations through the whole server except the socket.

import { type Action, ActionProblem } from '../../control/actions/action.js';
import type { ControlContext } from '../../control/actions/control-context.js';
import { readingEvents } from '../../control/actions/event-actions.js';
import { creatingSandbox, replacingSandbox } from '../../control/actions/sandbox-actions.js';
import { invoke, storeProblem } from '../../control/invoke.js';
import type { HttpRequest } from '../../derive/sending/call.js';
import type { SandboxEvent } from '../../engine/events/event.js';
import type { Origin } from '../../engine/sandbox/state.js';
import { DEFAULT_SANDBOX } from '../../engine/sandbox/state.js';
import { StoreError } from '../../engine/store.js';
import { namesBeside } from '../../scenario/files/folders.js';
import type { RawResponse } from '../../scenario/play/target.js';
import { providerStateCatalogue } from '../../scenario/states/provider-states.js';
import type { ControlPort, PortInput } from './control-port.js';
import { FakeError, failureOf } from './fake-error.js';
import type { Ask } from './inject.js';

export class InProcessPort implements ControlPort {
  #isStopped = false;
  /** A request that follows a creation must not create the sandbox itself, with other options. */
  readonly #creations = new Set<Promise<unknown>>();

  constructor(
    readonly url: string,
    private readonly context: ControlContext,
    private readonly through: Ask,
  ) {}

  get isExplicit(): boolean {
    return !this.context.session.settings.createOnUse;
  }

  invoke<Output, Body>(action: Action<Output, Body>, input: PortInput<Body> = {}): Promise<Output> {
    const invoked = this.#invoke(action, input);
    if (action.id === creatingSandbox.id || action.id === replacingSandbox.id) {
      const ended: Promise<unknown> = invoked.then(
        () => this.#creations.delete(ended),
        () => this.#creations.delete(ended), // the caller of `invoke` gets the error
      );
      this.#creations.add(ended);
    }
    return invoked;
  }

  async #invoke<Output, Body>(action: Action<Output, Body>, input: PortInput<Body>): Promise<Output> {
    this.check();
    const { sandbox = DEFAULT_SANDBOX, params = {}, query = {}, mustExist = false } = input;
    const body = input.body === undefined ? undefined : JSON.stringify(input.body);
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as const],
    );
    const given = {
      root: this.url,
      sandbox,
      mustExist,
      params,
      pairs,
      ...(body !== undefined && { body: JSON.parse(body), length: body.length }), // a copy, as over HTTP
    };
    const outcome = await invoke(action, given, this.context).catch(orStoreProblem);
    if (outcome instanceof ActionProblem) throw failureOf(outcome);
    return outcome;
  }

  /** Its idle time stays. A request in between may make one of that name. */
  async renew(name: string, origin: Origin): Promise<void> {
    const { session } = this.context;
    const ttl = (await session.sandboxes.latest(name))?.ttl;
    do await session.drop(name);
    while ((await session.create(name, origin, ttl)) === undefined);
  }

  async health() {
    this.check();
    return this.context.health();
  }

  /** Subscribes now, even if reading starts later. */
  listen(sandbox: string, signal?: AbortSignal): AsyncIterableIterator<SandboxEvent> {
    const opened = this.invoke(readingEvents, { sandbox }).then(feed => {
      const close = () => feed.close();
      signal?.addEventListener('abort', close);
      feed.whenOver(() => signal?.removeEventListener('abort', close));
      if (signal?.aborted) close();
      return feed;
    });
    opened.catch(() => {}); // the reader gets it
    return reading(opened);
  }

  async ask(request: HttpRequest, signal?: AbortSignal): Promise<RawResponse> {
    this.check();
    if (this.#creations.size > 0) await Promise.all(this.#creations);
    return this.through(request, signal);
  }

  stateNames(): readonly string[] {
    const { scenarios, fixtures } = this.context.folders;
    return ['', ...namesBeside('', [...scenarios, ...fixtures]), ...providerStateCatalogue.map(({ name }) => name)];
  }

  check(): void {
    if (this.#isStopped) throw new FakeError('The fake cannot be reached', [{ message: 'It has been stopped.' }]);
  }

  stop(): void {
    this.#isStopped = true;
  }
}

function orStoreProblem(error: unknown): ActionProblem {
  if (error instanceof StoreError) return storeProblem(error);
  throw error;
}

async function* reading(opened: Promise<AsyncIterable<SandboxEvent>>): AsyncGenerator<SandboxEvent, void, undefined> {
  yield* await opened;
}
