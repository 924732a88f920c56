// What lies at an http(s) URL: a pact, a broker, or a list of pacts. It is told by the answer, not by the URL.
// Knows no files.

import { redactUrl } from '../../engine/journal/secrets.js';
import { decoded } from '../../engine/request/percent.js';
import { contractFound, type Found, finding, together } from '../pacts/found.js';
import { readPact } from '../pacts/read-pact.js';
import { ask } from './ask.js';
import {
  type BrokerOptions,
  type BrokerVisit,
  gatherFromBroker,
  gatherListed,
  isBrokerIndex,
  isPactList,
  pactFound,
} from './broker.js';
import { href } from './hal.js';
import { jsonIn } from './json-reply.js';

/** User and password of the URL itself go before those of the options. */
export async function fromUrl(named: URL, given: BrokerVisit): Promise<Found> {
  const url = new URL(named);
  url.username = '';
  url.password = '';
  const visit = named.username === '' ? given : { ...given, options: withUser(given.options, named) };
  const read = jsonIn(await ask(url, { credentials: visit.options, patience: visit.patience }), visit.options);
  if ('found' in read) return read.found;
  const { json, text, url: at } = read;
  if (json.interactions !== undefined || json.messages !== undefined) {
    if (href(json, 'pb:publish-verification-results') === undefined)
      return contractFound(readPact(text, redactUrl(url.href)));
    return pactFound(read, at, { isPending: false, notices: [] });
  }
  if (isBrokerIndex(json)) return gatherFromBroker(json, at, visit);
  if (isPactList(json)) return together(await gatherListed(json, new URL(at.origin), visit));
  const problem = `${redactUrl(url.href)} answers with JSON that is neither a pact nor the root of a Pact Broker.`;
  return finding({ problems: [problem] });
}

function withUser({ token: _, ...rest }: BrokerOptions, { username, password }: URL): BrokerOptions {
  return { ...rest, basic: { user: plain(username), password: plain(password) } };
}

/** As it was meant; as it is, where it has a % that encodes nothing. */
function plain(encoded: string): string {
  return decoded(encoded) ?? encoded;
}
