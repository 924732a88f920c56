// One run of Pact's verifier over contracts: each interaction is requested from a provider, and its request, answer and result are recorded.
import type { HttpRequest } from '../../derive/sending/call.js';
import { type Answered, isBrokenOff } from '../../scenario/play/target.js';
import type { StateValues } from '../../scenario/states/provider-states.js';
import type { Provider } from '../providers/provider.js';
import { type Numbered, numberedFiles } from './numbered.js';
import { withPactFiles } from './pact-files.js';
import { type InteractionHandler, RecordingProxy } from './recording-proxy.js';
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
  readonly answer?: Answered;
  /** How the connection broke off before the end of the answer. */
  readonly broken?: string;
}

/** Requests every interaction. Outcomes are in the same order. Rejects with the provider's error, and with `Unverifiable`. */
export async function runVerifier(
  numbered: readonly Numbered[],
  provider: Provider,
  verifier: NativeVerifier,
): Promise<Outcome[]> {
  const outcomes = new Map<number, Outcome>();
  const note = (number: number, more: Outcome) => outcomes.set(number, { ...outcomes.get(number), ...more });
  const proxy = await RecordingProxy.open(noting(numbered, provider, note));
  const asking = { url: proxy.url, stateUrl: proxy.stateUrl };
  try {
    const results = await withPactFiles(numberedFiles(numbered), files => verifier.run({ files, ...asking }));
    for (const [number, result] of results) note(Number(number), { result });
  } finally {
    await proxy.close();
  }
  return numbered.map(({ number }) => outcomes.get(number) ?? {});
}

function noting(
  numbered: readonly Numbered[],
  provider: Provider,
  note: (number: number, more: Outcome) => void,
): InteractionHandler {
  const states = new Map(numbered.map(({ number, interaction }) => [number, interaction.states]));
  return {
    begin: async number => {
      const begun = await provider.begin(number, states.get(number) ?? []).catch(error => {
        if (!isBrokenOff(error)) throw error;
        return { problem: `Its states cannot be set up: ${error.message}.` };
      });
      if ('problem' in begun || !begun.isUnreported) note(number, begun);
      return begun;
    },
    answer: async (number, request) => {
      note(number, { request });
      const answer = await provider.answer(number, request).catch(error => {
        if (isBrokenOff(error)) note(number, { broken: error.broken.how });
        throw error;
      });
      note(number, { answer });
      return answer;
    },
    finish: number =>
      provider.finish(number, states.get(number) ?? []).catch(error => {
        if (!isBrokenOff(error)) throw error; // the interaction has been verified
      }),
  };
}
