// What the client that looks only at the status needs of the wiki: a success.
import { adding, asked, success } from './consumer.js';
import { addUsers } from './status-client.js';

describe('the client that looks at the status', () => {
  it('adds a user', () =>
    asked('status-client')
      .willRespondWith(success)
      .executeTest(async ({ url }) => addUsers(url, adding)));
});
