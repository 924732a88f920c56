// The first example of each wiki operation as an interaction, written to contracts/pacts/examples-wiki-extension.json: on the default world, under
// the default readings, it succeeds.
// A new operation is in the contract by its examples.
import { HTTPResponseStatusClass, Matchers } from '@pact-foundation/pact';
import { type Call, requestFor } from '../../server/derive/sending/call.js';
import { catalog } from '../../server/operations/catalog/catalog.js';
import type { Example } from '../../server/operations/operation.js';
import { contract } from './interaction.js';

const play = contract('examples', 'wiki-extension');

describe('the examples of the operations', () => {
  for (const operation of catalog) {
    if (operation.family !== 'wiki') continue; // the document promises more of push and pull: favourites.pact.ts
    const { title, as: user, params, query, body } = operation.examples[0] as Example; // a test wants one of each
    const as = user === undefined ? undefined : { user, password: user };
    const { method, path } = requestFor(operation, { params });
    it(`${operation.id}: ${title}`, () =>
      play(
        {
          receiving: `${operation.id}: ${title}`,
          given: [['small-team']],
          ...(as && { as }),
          asked: { method, path, ...(query && { query }), ...(body !== undefined && { body: body as object }) },
          status: Matchers.matchStatus(200, HTTPResponseStatusClass.Success),
        },
        async client => {
          const call = client.call as (id: string, call: Call) => Promise<unknown>; // of any operation
          await call(operation.id, { params, query, body });
        },
      ));
  }
});
