// One run of Pact's verifier over contracts: each interaction asked of a provider, with what was asked, answered and said of it.
// Knows nothing of the document.
import type { HttpRequest } from '../../derive/sending/call.js';
import { type Answered, isBrokenOff } from '../../scenario/play/target.js';
import type { StateValues } from '../../scenario/states/provider-states.js';
import type { Provider } from '../providers/provider.js';
import { type Numbered, numberedFiles } from './numbered.js';
import { withPactFiles } from './pact-files.js';
import { type Cast, Stage } from './recording-proxy.js';
import type { NativeResult, NativeVerifier } from './verifier.js';

/** What came of one interaction. */
export interface Outcome {
  /** Absent: the verifier said nothing of it. */
  readonly result?: NativeResult;
  /** Why its states could not be. */
  readonly problem?: string;
  /** What its states gave; absent where they could not be. */
  readonly values?: StateValues;
  /** Absent: it was not asked. */
  readonly request?: HttpRequest;
  readonly answer?: Answered;
  /** How the connection ended before the answer was whole, in words. */
  readonly broken?: string;
}

/** Asks every interaction. The outcomes are in their order. Rejects with what the provider rejects with, and with `Unverifiable`. */
export async function runVerifier(
  numbered: readonly Numbered[],
  provider: Provider,
  verifier: NativeVerifier,
): Promise<Outcome[]> {
  const outcomes = new Map<number, Outcome>();
  const note = (number: number, more: Outcome) => outcomes.set(number, { ...outcomes.get(number), ...more });
  const stage = await Stage.open(noting(numbered, provider, note));
  const asking = { url: stage.url, stateUrl: stage.stateUrl };
  try {
    const results = await withPactFiles(numberedFiles(numbered), files => verifier.run({ files, ...asking }));
    for (const [number, result] of results) note(Number(number), { result });
  } finally {
    await stage.close();
  }
  return numbered.map(({ number }) => outcomes.get(number) ?? {});
}

function noting(
  numbered: readonly Numbered[],
  provider: Provider,
  note: (number: number, more: Outcome) => void,
): Cast {
  const states = new Map(numbered.map(({ number, interaction }) => [number, interaction.states]));
  return {
    begin: async number => {
      const begun = await provider.begin(number, states.get(number) ?? []).catch(error => {
        if (!isBrokenOff(error)) throw error;
        return { problem: `Its states cannot be: ${error.message}.` };
      });
      if ('problem' in begun || !begun.isUntold) note(number, begun);
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
        if (!isBrokenOff(error)) throw error; // what was to be verified has been
      }),
  };
}
