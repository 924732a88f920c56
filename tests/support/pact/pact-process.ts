// The process in which a verifier of Pact runs for a test: the native one writes to standard output, and cannot be told not to.
// Takes one message and answers with one; with `handlers` it has a fake of its own, since the handlers run where the verifier does. Loads only what
// the run takes.
import type { VerifierOptions } from '@pact-foundation/pact';
import core from '@pact-foundation/pact-core';

export interface PactRun {
  readonly by: 'core' | 'class' | 'handlers';
  readonly options: VerifierOptions;
}

export interface PactResponse {
  /** JSON with the results; another text where it could not run. */
  readonly text: string;
  readonly failures: readonly string[];
}

const { default: pact } = core; // a CommonJS module with a default of its own

process.once('message', async (run: PactRun) => {
  const response = await (run.by === 'handlers' ? withHandlers(run.options) : verify(run));
  process.send?.(response, () => process.exit());
});
process.send?.('ready');

async function verify({ by, options }: PactRun): Promise<PactResponse> {
  return { text: await textOf(by === 'core' ? verifyByCore(options) : verifyByClass(options)), failures: [] };
}

function verifyByCore(options: VerifierOptions): Promise<string> {
  return pact.verifyPacts(options as Parameters<typeof pact.verifyPacts>[0]); // the two packages say differently what may be left out
}

async function verifyByClass(options: VerifierOptions): Promise<string> {
  const { Verifier } = await import('@pact-foundation/pact');
  return new Verifier(options).verifyProvider();
}

async function withHandlers(options: VerifierOptions): Promise<PactResponse> {
  const { providerStates, startFake } = await import('../../../server/index.js');
  const fake = await startFake();
  const failures: string[] = [];
  const stateHandlers = providerStates(fake, { onFailure: ({ message }) => failures.push(message) });
  const { providerStatesSetupUrl: _, ...others } = options;
  const text = await textOf(verifyByClass({ ...others, providerBaseUrl: fake.url, stateHandlers }));
  await fake.stop();
  return { text, failures };
}

function textOf(running: Promise<string>): Promise<string> {
  return running.catch((error: unknown) => String((error as Error).message));
}
