// One run of Pact's verifier over contracts: each interaction is requested from a provider, and its request, response and result are recorded.
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { isBrokenOff, type RawResponse, Unreachable } from '../../../server/scenario/play/target.js';
import type { StateValues } from '../../../server/scenario/states/provider-states.js';
import type { Provider } from '../providers/provider.js';
import { type Numbered, withNumber } from './numbered-interactions.js';
import { type InteractionHandler, openRecordingProxy } from './recording-proxy.js';
import { runPacts } from './run-pacts.js';
import type { NativeResult, NativeVerifier } from './verifier.js';

/** The result of one interaction. */
export interface Outcome {
  /** Absent: the verifier returned nothing for it. */
  readonly result?: NativeResult;
  /** Why its states could not be set up. */
  readonly problem?: string;
  /** The values of its states; absent if they could not be set up. */
  readonly values?: StateValues;
  /** Absent: no request was sent. */
  readonly request?: HttpRequest;
  readonly response?: RawResponse;
  /** Why there is no whole response: a sentence. */
  readonly broken?: string;
}

/** After this number of requests in a row without a response, the others are not sent: each would wait for the timeout. */
const MAX_SILENT = 3;

/**
 * Requests every interaction. Outcomes are in the same order. Rejects with `Unreachable` if the provider answered none, with another error of the
 * provider, and with `Unverifiable`.
 */
export async function runVerifier(
  numbered: readonly Numbered[],
  provider: Provider,
  verifier: NativeVerifier,
): Promise<Outcome[]> {
  const outcomes = new Map<number, Outcome>();
  const note = (number: number, more: Outcome) => outcomes.set(number, { ...outcomes.get(number), ...more });
  const reach = new Reach();
  const proxy = await openRecordingProxy(noting(numbered, provider, note, reach));
  try {
    const results = await runPacts(numbered.map(withNumber), verifier, { url: proxy.url, stateUrl: proxy.stateUrl });
    for (const [number, result] of results) note(Number(number), { result });
  } finally {
    await proxy.close();
  }
  if (provider.isRemote) reach.check();
  return numbered.map(({ number }) => outcomes.get(number) ?? {});
}

/** Whether the provider answers. */
class Reach {
  #hasAnswered = false;
  #first: Unreachable | undefined;
  #silent = 0;

  /** Whether so many requests in a row had no response that others would only wait for nothing. */
  get isGivenUp(): boolean {
    return this.#silent >= MAX_SILENT;
  }

  /** A result of the provider. Rejects with `Unreachable` if there is none. */
  async of<T>(asking: () => Promise<T>, isRequest = true): Promise<T> {
    try {
      const response = await asking();
      this.#hasAnswered ||= isRequest;
      if (isRequest) this.#silent = 0;
      return response;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.#first ??= error;
      this.#silent = isBrokenOff(error) ? 0 : this.#silent + 1;
      throw error;
    }
  }

  check(): void {
    if (!this.#hasAnswered && this.#first !== undefined) throw this.#first;
  }
}

function noting(
  numbered: readonly Numbered[],
  provider: Provider,
  note: (number: number, more: Outcome) => void,
  reach: Reach,
): InteractionHandler {
  const states = new Map(numbered.map(({ number, interaction }) => [number, interaction.states]));
  return {
    begin: async number => {
      const asking = () => provider.begin(number, states.get(number) ?? []);
      const begun = reach.isGivenUp
        ? { problem: `Not tried: the target did not respond to ${MAX_SILENT} requests in a row.` }
        : await reach.of(asking, false).catch(error => {
            if (!(error instanceof Unreachable)) throw error;
            return { problem: `The provider states cannot be set up: ${error.message}.` };
          });
      if ('problem' in begun || !begun.isUnreported) note(number, begun);
      return begun;
    },
    respond: async (number, request) => {
      note(number, { request });
      const response = await reach
        .of(() => provider.respond(number, request))
        .catch(error => {
          if (isBrokenOff(error)) note(number, { broken: `The target broke off the connection: ${error.broken.how}.` });
          else if (error instanceof Unreachable) note(number, { broken: `${error.message}.` });
          throw error;
        });
      note(number, { response });
      return response;
    },
    finish: async number =>
      provider.finish?.(number, states.get(number) ?? []).catch(error => {
        if (!(error instanceof Unreachable)) throw error; // the interaction has been verified
      }),
  };
}
