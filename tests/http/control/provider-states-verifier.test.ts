// The provider states with the native verifier of Pact. tests/tools/pact-cli has the other verifiers and forms.
import { expect } from 'chai';
import { pactsFor, providers, verifyBy } from '../../support/pact/verifiers.js';
import { useServer } from '../../support/wire/server.js';

describe('provider states under the verifier of Pact', () => {
  const server = useServer();

  for (const provider of providers) {
    it(`satisfy all states of the hand-written pacts for ${provider}`, async () => {
      const { files, descriptions } = pactsFor(provider);
      const { results, text } = await verifyBy('core', {
        provider,
        pactUrls: [...files],
        providerBaseUrl: `${server.url}/~${provider}`,
        providerStatesSetupUrl: `${server.url}/~${provider}/_fake/v1/provider-states`,
      });
      expect(results).to.deep.equal(Object.fromEntries(descriptions.map(description => [description, true])), text);
    });
  }
});
