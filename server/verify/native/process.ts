// The process in which Pact's native verifier runs: it writes to standard output what nobody asked for, and might take the program down with it.
// Takes the options of a run as a message and answers with one, as often as it is asked, until its parent goes. Knows nothing else of `verify`.
import core from '@pact-foundation/pact-core';

const { default: pact } = core; // a CommonJS module with a default of its own

process.on('message', async (options: Parameters<typeof pact.verifyPacts>[0]) => {
  // It rejects with the same text with which it resolves, or with one that is no JSON where it could not run; or throws at once.
  const text = await Promise.resolve(options)
    .then(given => pact.verifyPacts(given))
    .catch((error: unknown) => String((error as Error).message));
  process.send?.(text);
});
process.send?.('ready');
