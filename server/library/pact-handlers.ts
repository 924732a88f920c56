// The handlers of a Pact verifier in the program that runs it: each brings about a state in one sandbox. Knows Pact by the form of its handlers only.
import type { StateValues } from '../scenario/states/provider-states.js';
import type { Fake, Sandbox } from './api.js';
import { FakeError } from './fake-error.js';
import { FakeSandbox } from './sandbox.js';

/** Brings a state about; what it gives is for `fromProviderState`. Rejects with a `FakeError`. */
export type StateHandler = (params?: unknown) => Promise<StateValues>;
/** Handlers by the name of the state. */
export type StateHandlers = Readonly<Record<string, StateHandler>>;

export interface StateOptions {
  /** Left out: the sandbox `default`, which is asked where a request names none. */
  readonly sandbox?: string | Sandbox;
  /**
   * Hears of every state that could not be brought about, an unknown one among them. Pact's own verifier goes on after a handler that
   * fails, and may find the interaction good: end the run here. Left out, it is written to standard error.
   */
  readonly onFailure?: (error: FakeError) => void;
}

/**
 * The `stateHandlers` of a verifier that asks this fake. There is one for each scenario and fixture by its name, which begins it afresh; one for
 * the empty state, which begins that of the fake; and those of the README, which add to what is there. Consecutive states add up; a state that
 * follows a request begins a new world.
 */
export function providerStates(fake: Fake, options: StateOptions = {}): StateHandlers {
  const { sandbox = 'default', onFailure = tell } = options;
  const named = typeof sandbox === 'string' ? fake.sandbox(sandbox) : sandbox;
  if (!(named instanceof FakeSandbox)) throw new TypeError('providerStates takes the sandbox of a fake, or its name');
  const handler =
    (state: string): StateHandler =>
    params =>
      named.states.setUp(state, params).catch((error: unknown) => {
        if (error instanceof FakeError) onFailure(error);
        throw error;
      });
  const names = named.port.stateNames();
  return answering(Object.fromEntries(names.map(state => [state, handler(state)])), handler);
}

/** The same with a handler for every further name too: a verifier passes over a state that has none. */
function answering(handlers: StateHandlers, other: (state: string) => StateHandler): StateHandlers {
  return new Proxy(handlers, {
    get: (target, key) =>
      typeof key === 'symbol' || key === 'then' || key === 'toJSON' || Object.hasOwn(target, key)
        ? Reflect.get(target, key)
        : other(key),
  });
}

function tell({ message }: FakeError): void {
  process.stderr.write(`${message}\n`);
}
