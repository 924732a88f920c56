// The typed client for a server at a URL, whatever server that is: a real one, a fake, or the mock server of a Pact consumer test.
// Knows no control API.
import type { CallAddress, Proof } from '../../derive/sending/call.js';
import { urlFlaw } from '../../remote/target/any-server.js';
import { connection } from '../../remote/target/http-connection.js';
import type { Client } from './calls.js';
import { clientFor } from './client.js';

/**
 * A client of the operations below a base URL, with its context path where there is one (`https://wiki.example.com/wiki`). `as` is the user and
 * password, or the token, that each request shows; left out, nobody asks. Throws a `TypeError` where the URL is none. A call rejects where
 * nobody answers.
 */
export function clientAt(url: string, as?: Proof, address?: Pick<CallAddress, 'wikiPrefix'>): Client {
  const flaw = urlFlaw(url);
  if (flaw !== undefined) throw new TypeError(`${JSON.stringify(url)} is no base URL: ${flaw}.`);
  const { send } = connection(url.replace(/\/+$/, ''));
  return clientFor(send, as, address);
}
