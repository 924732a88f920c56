// The process in which Pact's native verifier runs, because it writes to standard output and may crash. It receives the options of a run as a message
// and answers with one message, until its parent ends. Plain JavaScript, so that it starts at once from the sources too.
import core from '@pact-foundation/pact-core';

const { default: pact } = core; // a CommonJS module with its own default export

process.on('message', async message => {
  const options = /** @type {Parameters<typeof pact.verifyPacts>[0]} */ (message); // as verifier.ts sends it
  // Rejects with the text that it would resolve with, or with a text that is not JSON if it could not run; or throws at once.
  const text = await Promise.resolve(options)
    .then(given => pact.verifyPacts(given))
    .catch(error => String(error.message));
  process.send?.(text);
});
process.send?.('ready');
