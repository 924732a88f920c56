// The process in which a verifier of Pact runs for a test: the native one writes to standard output, and cannot be told not to.
// Takes one message and answers with one; with `handlers` it has a fake of its own, since the handlers run where the verifier does.
import { Verifier, type VerifierOptions } from '@pact-foundation/pact';
import core from '@pact-foundation/pact-core';
import { providerStates, startFake } from '../../server/index.js';

export interface PactRun {
  readonly by: 'core' | 'class' | 'handlers';
  readonly options: VerifierOptions;
}

export interface PactAnswer {
  /** JSON with the results; another text where it could not run. */
  readonly text: string;
  /** Of `handlers`: what could not be brought about. */
  readonly failures: readonly string[];
}

const { default: pact } = core; // a CommonJS module with a default of its own

process.once('message', async (run: PactRun) => {
  const answer = await (run.by === 'handlers' ? withHandlers(run.options) : verify(run));
  process.send?.(answer, () => process.exit());
});
process.send?.('ready');

async function verify({ by, options }: PactRun): Promise<PactAnswer> {
  // the two packages say of the same options differently what may be left out
  const running =
    by === 'core'
      ? pact.verifyPacts(options as Parameters<typeof pact.verifyPacts>[0])
      : new Verifier(options).verifyProvider();
  return { text: await textOf(running), failures: [] };
}

async function withHandlers(options: VerifierOptions): Promise<PactAnswer> {
  const fake = await startFake();
  const failures: string[] = [];
  const stateHandlers = providerStates(fake, { onFailure: ({ message }) => failures.push(message) });
  const { providerStatesSetupUrl: _, ...others } = options;
  const verifier = new Verifier({ ...others, providerBaseUrl: fake.url, stateHandlers });
  const text = await textOf(verifier.verifyProvider());
  await fake.stop();
  return { text, failures };
}

/** It rejects with the same text with which it resolves. */
function textOf(running: Promise<string>): Promise<string> {
  return running.catch((error: unknown) => String((error as Error).message));
}
