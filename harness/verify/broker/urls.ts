// Reads an http(s) URL: a pact or a broker. The answer decides which.

import { decoded } from '../../../server/engine/percent.js';
import { redactUrl } from '../../../server/engine/secrets.js';
import { contractFound, type Found, finding } from '../pacts/found.js';
import { readPact } from '../pacts/read-pact.js';
import { ask } from './ask.js';
import { type BrokerOptions, type BrokerVisit, gatherFromBroker, linkToVerify, pactFound } from './broker.js';
import { href } from './hal.js';
import { jsonIn } from './json-reply.js';

/** User and password in the URL win over the options. */
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
  const link = linkToVerify(json);
  if (link !== undefined) return gatherFromBroker(link, at, visit);
  const problem = `${redactUrl(url.href)} answers with JSON that is neither a pact nor the root of a Pact Broker with pacts to verify.`;
  return finding({ problems: [problem] });
}

function withUser({ token: _, ...rest }: BrokerOptions, { username, password }: URL): BrokerOptions {
  return { ...rest, basic: { user: plain(username), password: plain(password) } };
}

/** Decoded; unchanged if it has an invalid percent-encoding. */
function plain(encoded: string): string {
  return decoded(encoded) ?? encoded;
}
