// The typed client for any server at a URL: the real one, a fake, or the mock server of a Pact consumer test.

import type { CallAddress, Proof } from '../../derive/sending/call.js';
import { withoutEndingSlashes } from '../../outgoing/parsed-url.js';
import { checkBaseUrl } from '../../settings/flag-checks.js';
import { connection } from '../port/http-connection.js';
import type { Client } from './calls.js';
import { clientFor } from './client.js';

/**
 * A client of the operations below a base URL, with its context path if it has one (`https://wiki.example.com/wiki`). `as`: user and password, or
 * token; default: no credentials. Throws a `TypeError` if the URL is invalid. A call rejects if nobody answers.
 */
export function clientAt(url: string, as?: Proof, address?: Pick<CallAddress, 'wikiPrefix'>): Client {
  const error = checkBaseUrl(url);
  if (error !== undefined) throw new TypeError(`${JSON.stringify(url)} is not a base URL: ${error}.`);
  const { send } = connection(withoutEndingSlashes(url));
  return clientFor(send, as, address);
}
