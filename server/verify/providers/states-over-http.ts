// A server that sets up states by Pact's state-change request, one POST each.
import type { HttpRequest } from '../../derive/sending/call.js';
import { isObject } from '../../domain/form/patch.js';
import { laidOver } from '../../engine/request/headers.js';
import type { Connection } from '../../remote/target/http-connection.js';
import { bodyOf } from '../../scenario/play/judging.js';
import type { Received } from '../../scenario/play/target.js';
import type { StateValues } from '../../scenario/states/provider-states.js';
import type { WantedState } from '../contract.js';
import type { Begun } from './provider.js';
import { stateFailureText } from './state-problem.js';

/** Sets up states in order and returns their merged values. */
export async function setUp(
  wire: Connection,
  path: string,
  headers: HttpRequest['headers'],
  states: readonly WantedState[],
): Promise<Begun> {
  let values: StateValues = {};
  for (const state of orEmpty(states)) {
    const answer = await wire.send(change('setup', path, headers, state));
    const body = bodyOf(answer);
    if (answer.status >= 300) return { problem: failureText(state.name, answer, body) };
    if (isObject(body)) values = { ...values, ...(body as StateValues) }; // anything that JSON can be
  }
  return { values };
}

/** The answer does not matter: the interaction has been verified. */
export async function tearDown(
  wire: Connection,
  path: string,
  headers: HttpRequest['headers'],
  states: readonly WantedState[],
): Promise<void> {
  for (const state of orEmpty(states)) await wire.send(change('teardown', path, headers, state));
}

/** An interaction without a state uses the empty one. */
function orEmpty(states: readonly WantedState[]): readonly WantedState[] {
  return states.length === 0 ? [{ name: '', params: {} }] : states;
}

function change(
  action: string,
  path: string,
  headers: HttpRequest['headers'],
  { name: state, params }: WantedState,
): HttpRequest {
  return {
    method: 'POST',
    path,
    headers: laidOver(headers, { 'Content-Type': 'application/json' }),
    body: JSON.stringify({ action, state, params }),
  };
}

/** A problem of a cwx-fake has its own message; for other servers the answer is quoted. */
function failureText(state: string, { status, text }: Received, body: unknown): string {
  if (isObject(body) && typeof body.detail === 'string')
    return status === 404 ? body.detail : stateFailureText(state, body.detail.replaceAll('\n', ' '));
  const said = text.trim().slice(0, 300);
  return `The server did not set up the state ${JSON.stringify(state)}: it answered ${status}${said === '' ? '' : ` ${said}`}.`;
}
