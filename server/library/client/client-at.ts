// The typed client for a server at a URL, whatever server that is: a real one, a fake, or the mock server of a Pact consumer test.
// Knows no control API.
import type { CallAddress, Proof } from '../../derive/call.js';
import { urlError } from '../../remote/any-server.js';
import { connection } from '../../remote/http-connection.js';
import type { Client } from './calls.js';
import { clientFor } from './client.js';

/**
 * A client of the operations below a base URL, with its context path where there is one (`https://wiki.example.com/wiki`). `as` is the user and
 * password, or the token, that each request shows; left out, nobody asks. Throws a `TypeError` where the URL is none. A call rejects where
 * nobody answers.
 */
export function clientAt(url: string, as?: Proof, address?: Pick<CallAddress, 'wikiPrefix'>): Client {
  const error = urlError(url);
  if (error !== undefined) throw new TypeError(`${JSON.stringify(url)} is no base URL: ${error}.`);
  const { send } = connection(url.replace(/\/+$/, ''));
  return clientFor(send, as, address);
}
