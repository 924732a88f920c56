// The client that checks only the status needs a success.
import { adding, asked, success } from './consumer.js';
import { addUsers } from './status-client.js';

describe('the client that checks the status', () => {
  it('adds a user', () =>
    asked('status-client')
      .willRespondWith(success)
      .executeTest(async ({ url }) => addUsers(url, adding)));
});
