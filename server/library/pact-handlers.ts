// Handlers for a Pact verifier in the same program: each sets up a state in one sandbox.
import type { StateValues } from '../scenario/states/provider-states.js';
import { FakeError } from './port/fake-error.js';
import type { Fake, Sandbox } from './sandbox/api.js';
import { FakeSandbox } from './sandbox/sandbox.js';

/** Sets up a state; its values are for `fromProviderState`. Rejects with a `FakeError`. */
export type StateHandler = (params?: unknown) => Promise<StateValues>;
/** Handlers by the name of the state. */
export type StateHandlers = Readonly<Record<string, StateHandler>>;

export interface StateOptions {
  /** Default: the sandbox `default`, which requests without a sandbox use. */
  readonly sandbox?: string | Sandbox;
  /**
   * Called for every state that could not be set up, unknown ones included. Pact's verifier continues after a failed handler, and may pass the
   * interaction: end the run here. Default: writes to standard error.
   */
  readonly onFailure?: (error: FakeError) => void;
}

/**
 * The `stateHandlers` for a verifier of this fake: one for each scenario and fixture, which starts it; one for the empty state, which starts that of
 * the fake; and those of the README, which add to the world. Consecutive states add up; a state after a request begins a new world.
 */
export function providerStates(fake: Fake, options: StateOptions = {}): StateHandlers {
  const { sandbox = 'default', onFailure = printWarning } = options;
  const named = typeof sandbox === 'string' ? fake.sandbox(sandbox) : sandbox;
  if (!(named instanceof FakeSandbox)) throw new TypeError('providerStates needs the sandbox of a fake, or its name');
  const handler =
    (state: string): StateHandler =>
    params =>
      named.states.setUp(state, params).catch((error: unknown) => {
        if (error instanceof FakeError) onFailure(error);
        throw error;
      });
  const names = named.port.stateNames();
  return responding(Object.fromEntries(names.map(state => [state, handler(state)])), handler);
}

/** Has a handler for every other name too, because a verifier ignores a state without one. */
function responding(handlers: StateHandlers, other: (state: string) => StateHandler): StateHandlers {
  return new Proxy(handlers, {
    get: (target, key) =>
      typeof key === 'symbol' || key === 'then' || key === 'toJSON' || Object.hasOwn(target, key)
        ? Reflect.get(target, key)
        : other(key),
  });
}

function printWarning({ message }: FakeError): void {
  process.stderr.write(`${message}\n`);
}
