// What the client that parses the answer needs of the wiki: a success, and an object as its body.
import { Matchers } from '@pact-foundation/pact';
import { expect } from 'chai';
import { adding, asked, success } from './consumer.js';
import { addUsers } from './parsing-client.js';

describe('the client that parses the answer', () => {
  it('adds a user', () =>
    asked('parsing-client')
      .willRespondWith(success, answer => answer.jsonBody(Matchers.like({})))
      .executeTest(async ({ url }) => {
        expect(await addUsers(url, adding)).to.deep.equal({});
      }));
});
