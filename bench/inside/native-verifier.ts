// Pact's native verifier alone, without cwx-fake: over pact files, against a server with an endpoint for provider states.
// Arguments: the URL, then the files.
import core from '@pact-foundation/pact-core';

const { default: pact } = core; // a CommonJS module with a default of its own
const [url = '', ...files] = process.argv.slice(2);

await pact.verifyPacts({
  provider: 'fake',
  providerBaseUrl: url,
  pactUrls: files,
  logLevel: 'error',
  providerStatesSetupUrl: `${url}/_fake/v1/provider-states`,
  providerStatesSetupBody: true,
  providerStatesSetupTeardown: true,
});
