// What the contracts of both versions of the client share: the request, and a response of some success.
// The pact is written to the folder PACTS_DIR.
import { HTTPResponseStatusClass, Matchers, PactV4 } from '@pact-foundation/pact';
import type { Adding } from './adding.js';

export const adding: Adding = { group: 'customers', users: ['alice'] };

/** An interaction of a consumer with the wiki, up to the response. */
export function asked(consumer: string) {
  const dir = process.env.PACTS_DIR;
  if (dir === undefined) throw new Error('PACTS_DIR names no folder');
  const pact = new PactV4({ consumer, provider: 'wiki-extension', dir, logLevel: 'error' });
  return pact
    .addInteraction()
    .given('small-team')
    .uponReceiving('a user for a group')
    .withRequest('POST', '/rest/cwxapiextension/latest/groups/add-users', request =>
      request
        .headers({ Authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` })
        .jsonBody({ ...adding }),
    );
}

export const success = Matchers.matchStatus(200, HTTPResponseStatusClass.Success);
