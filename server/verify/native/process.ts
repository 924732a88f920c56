// The process in which Pact's native verifier runs, because it writes to standard output and may crash. It receives the options of a run as a message
// and answers with one message, until its parent ends.
import core from '@pact-foundation/pact-core';

const { default: pact } = core; // a CommonJS module with its own default export

process.on('message', async (options: Parameters<typeof pact.verifyPacts>[0]) => {
  // Rejects with the text that it would resolve with, or with a text that is not JSON if it could not run; or throws at once.
  const text = await Promise.resolve(options)
    .then(given => pact.verifyPacts(given))
    .catch((error: unknown) => String((error as Error).message));
  process.send?.(text);
});
process.send?.('ready');
