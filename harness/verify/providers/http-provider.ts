// A plain HTTP server as the provider under verification. It gets provider states if it has a state-change URL.

import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { lengthOfBody } from '../../../server/derive/sending/sending.js';
import { counted } from '../../../server/derive/text/counted.js';
import { isObject } from '../../../server/domain/form/patch.js';
import { bodyOf } from '../../../server/engine/patterns/match.js';
import { mergedHeaders } from '../../../server/engine/request/headers.js';
import { type Connection, connection } from '../../../server/library/port/http-connection.js';
import { withoutEndingSlashes } from '../../../server/outgoing/parsed-url.js';
import type { RawResponse, Received } from '../../../server/scenario/play/target.js';
import type { StateValues } from '../../../server/scenario/states/provider-states.js';
import type { WantedState } from '../contract/contract.js';
import { orEmpty, stateFailureText } from './fake-states.js';
import type { Begun, Provider, RemoteTarget } from './provider.js';

export class AnyServer implements Provider {
  readonly place: string;
  readonly isRemote = true;
  readonly readings = {};
  readonly #wire: Connection;
  readonly #stateWire: Connection | undefined;
  readonly #statePath: string;
  #ignoredStates = 0;

  constructor(private readonly target: RemoteTarget) {
    const { url, stateChangeUrl, patience } = target;
    this.place = url;
    this.#wire = connection(withoutEndingSlashes(url), lengthOfBody, patience);
    const { origin, pathname, search } = new URL(stateChangeUrl ?? url);
    this.#stateWire = stateChangeUrl === undefined ? undefined : connection(origin, undefined, patience);
    this.#statePath = `${pathname}${search}`;
  }

  async begin(_: number, states: readonly WantedState[]): Promise<Begun> {
    if (this.#stateWire !== undefined) return this.#setUp(this.#stateWire, states);
    if (states.length > 0) this.#ignoredStates += 1;
    return { values: {}, isUnreported: true };
  }

  respond(_: number, request: HttpRequest): Promise<RawResponse> {
    return this.#wire.send({ ...request, headers: mergedHeaders(request.headers, this.target.headers) });
  }

  async finish(_: number, states: readonly WantedState[]): Promise<void> {
    if (this.#stateWire === undefined) return;
    for (const state of orEmpty(states)) await this.#stateWire.send(this.#change('teardown', state)); // what is answered is not asked
  }

  /** Pact's state-change request, one POST for each state. */
  async #setUp(wire: Connection, states: readonly WantedState[]): Promise<Begun> {
    let values: StateValues = {};
    for (const state of orEmpty(states)) {
      const response = await wire.send(this.#change('setup', state));
      const body = bodyOf(response);
      if (response.status >= 300) return { problem: failureText(state.name, response, body) };
      if (isObject(body)) values = { ...values, ...(body as StateValues) }; // anything that JSON can be
    }
    return { values };
  }

  #change(action: 'setup' | 'teardown', { name: state, params }: WantedState): HttpRequest {
    return {
      method: 'POST',
      path: this.#statePath,
      headers: mergedHeaders(this.target.headers, { 'Content-Type': 'application/json' }),
      body: JSON.stringify({ action, state, params }),
    };
  }

  async close(): Promise<void> {
    this.#wire.close();
    this.#stateWire?.close();
  }

  notices(): readonly string[] {
    if (this.#ignoredStates === 0) return [];
    const who = `${counted(this.#ignoredStates, 'interaction')} ${this.#ignoredStates === 1 ? 'has' : 'have'}`;
    return [`${who} provider states that were not set up: give the URL that sets up states with --state-change-url.`];
  }
}

/** A problem of a cwx-fake has its own message; for other servers the response is quoted. */
function failureText(state: string, { status, text }: Received, body: unknown): string {
  if (isObject(body) && typeof body.detail === 'string')
    return status === 404 ? body.detail : stateFailureText(state, body.detail.replaceAll('\n', ' '));
  const said = text.trim().slice(0, 300);
  return `The server did not set up the state ${JSON.stringify(state)}: it responded with ${status}${said === '' ? '' : ` ${said}`}.`;
}
