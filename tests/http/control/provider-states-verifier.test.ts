// The provider states with the stand-alone verifier of Pact. tests/proof has the other verifiers and forms.
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { pactsFor, pactVerifier, providers } from '../../support/outside-tools/verifiers.js';
import { serving } from '../../support/wire/server.js';

describe('provider states under the verifier of Pact', function () {
  this.timeout(60_000);
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());

  for (const provider of providers) {
    it(`satisfy all states of the hand-written pacts for ${provider}`, async () => {
      const { files, descriptions } = pactsFor(provider);
      const base = `/~${provider}`;
      const { code, results, text } = await pactVerifier([
        ...files.flatMap(file => ['-f', file]),
        ...['-h', '127.0.0.1', '-p', new URL(server.url).port, '-n', provider, '--base-path', base],
        ...['--state-change-url', `${server.url}${base}/_fake/v1/provider-states`],
      ]);
      expect(results).to.deep.equal(Object.fromEntries(descriptions.map(description => [description, true])), text);
      expect(code).to.equal(0);
    });
  }
});
