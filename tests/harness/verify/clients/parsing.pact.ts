// The client that parses the response needs a success with an object as its body.
import { Matchers } from '@pact-foundation/pact';
import { expect } from 'chai';
import { adding, asked, success } from './consumer.js';
import { addUsers } from './parsing-client.js';

describe('the client that parses the response', () => {
  it('adds a user', () =>
    asked('parsing-client')
      .willRespondWith(success, response => response.jsonBody(Matchers.like({})))
      .executeTest(async ({ url }) => {
        expect(await addUsers(url, adding)).to.deep.equal({});
      }));
});
