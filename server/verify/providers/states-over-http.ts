// A server that is told of states by Pact's state-change request, one POST each. Knows no pact file.
import type { HttpRequest } from '../../derive/sending/call.js';
import { isObject } from '../../domain/form/patch.js';
import { laidOver } from '../../engine/request/headers.js';
import type { Connection } from '../../remote/target/http-connection.js';
import { bodyOf } from '../../scenario/play/judging.js';
import type { Received } from '../../scenario/play/target.js';
import type { StateValues } from '../../scenario/states/provider-states.js';
import type { WantedState } from '../contract.js';
import type { Begun } from './provider.js';
import { tellWhy } from './state-problem.js';

/** Brings states about, in order, and gives their values laid together. */
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
    if (answer.status >= 300) return { problem: told(state.name, answer, body) };
    if (isObject(body)) values = { ...values, ...(body as StateValues) }; // what JSON can be
  }
  return { values };
}

/** What the server answers is not asked: what was to be verified has been. */
export async function tearDown(
  wire: Connection,
  path: string,
  headers: HttpRequest['headers'],
  states: readonly WantedState[],
): Promise<void> {
  for (const state of orEmpty(states)) await wire.send(change('teardown', path, headers, state));
}

/** An interaction without a state asks for the empty one. */
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

/** A problem of ours says what would be right; of another server there is what it answers. */
function told(state: string, { status, text }: Received, body: unknown): string {
  if (isObject(body) && typeof body.detail === 'string')
    return status === 404 ? body.detail : tellWhy(state, body.detail.replaceAll('\n', ' '));
  const said = text.trim().slice(0, 300);
  return `The server does not bring about the state ${JSON.stringify(state)}: it answers ${status}${said === '' ? '' : ` ${said}`}.`;
}
