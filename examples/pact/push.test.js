// Writes pacts/web-push-pull.json. `cwx-fake verify` then says whether the document promises what is expected here.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Matchers, PactV4 } from '@pact-foundation/pact';
import { push } from './push.js';

const pact = new PactV4({ consumer: 'web', provider: 'push-pull', dir: 'pacts', logLevel: 'error' });

test('a push that succeeds', () =>
  pact
    .addInteraction()
    .uponReceiving('a push to alice')
    .withRequest('POST', '/rest/cwx-ppf/latest/push', request =>
      request.headers({ Authorization: 'Bearer admin-token' }).jsonBody({ users: ['alice'], filters: [10500] }),
    )
    .willRespondWith(200, response => response.jsonBody({ success: Matchers.boolean(true) }))
    .executeTest(async server => assert.equal(await push(server.url, ['alice'], [10500]), true)));
