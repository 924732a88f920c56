// States brought about in a sandbox of a fake by its own actions, whether it is in this process or served somewhere. Knows no pact file.
import { lineOf } from '../../../server/control/actions/action.js';
import { FakeError, orUnreachable } from '../../../server/library/port/fake-error.js';
import type { Sandbox } from '../../../server/library/sandbox/api.js';
import type { StateValues } from '../../../server/scenario/states/provider-states.js';
import type { WantedState } from '../contract/contract.js';
import type { Begun } from './provider.js';

/** Sets up states in order, and merges their values. Rejects with `Unreachable` if the fake does not answer. */
export async function setUp(sandbox: Sandbox, states: readonly WantedState[]): Promise<Begun> {
  let values: StateValues = {};
  for (const { name: state, params } of orEmpty(states)) {
    try {
      values = { ...values, ...(await orUnreachable(sandbox.states.setUp(state, params))) };
    } catch (error) {
      if (!(error instanceof FakeError)) throw error;
      return { problem: whyNot(state, error) };
    }
  }
  return { values };
}

/** What the fake answers is not asked: what was to be verified has been. */
export async function tearDown(sandbox: Sandbox): Promise<void> {
  await orUnreachable(sandbox.states.tearDown()).catch(error => {
    if (!(error instanceof FakeError)) throw error;
  });
}

/** An interaction without a state uses the empty one. */
export function orEmpty(states: readonly WantedState[]): readonly WantedState[] {
  return states.length === 0 ? [{ name: '', params: {} }] : states;
}

/** `The state "group exists" cannot be set up: /name must be a string, not 7.` A state that does not exist is named in the message itself. */
function whyNot(state: string, { problems, status }: FakeError): string {
  const says = problems.map(sentence).join(' ');
  return status === 404 ? says : stateFailureText(state, says);
}

/** `says`: sentences. */
export function stateFailureText(state: string, says: string): string {
  return `The state ${JSON.stringify(state)} cannot be set up: ${says}`;
}

function sentence(problem: FakeError['problems'][number]): string {
  const line = lineOf(problem);
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
