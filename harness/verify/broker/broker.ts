// Contracts at an http(s) URL: one pact, or those of a Pact Broker, found by following its links. publish.ts sends results back.

import { isObject } from '../../../server/domain/form/patch.js';
import { decoded } from '../../../server/engine/percent.js';
import { redactUrl } from '../../../server/engine/secrets.js';
import type { Brokered, Json } from '../contract/contract.js';
import { contractFound, type Found, finding, problem, together } from '../pacts/found.js';
import { knownProviders } from '../pacts/providers.js';
import { readPact } from '../pacts/read-pact.js';
import { askJson, type Credentials, expanded, href, type JsonReply, NoReply, placed } from './ask.js';
import type { Selector } from './selectors.js';

export interface BrokerOptions extends Credentials {
  /** Empty: the broker decides. */
  readonly selectors: readonly Selector[];
  /** Whether to include pending pacts, whose failures do not count yet. */
  readonly includePending: boolean;
  /** A date, `2026-01-31`: also include work-in-progress pacts since then; they do not count. */
  readonly includeWipSince?: string;
  readonly providerBranch?: string;
  readonly providerTags?: readonly string[];
}

export interface BrokerVisit {
  /** Empty: all providers that this package implements. */
  readonly providers: readonly string[];
  readonly options: BrokerOptions;
  /** Milliseconds for each response. */
  readonly patience: number;
}

/** Number of pacts requested at the same time. */
const AT_ONCE = 8;

/** The reply decides whether it is a pact or a broker. User and password in the URL win over the options. */
export async function fromUrl(named: URL, visit: BrokerVisit): Promise<Found> {
  const { username, password } = named;
  const url = new URL(named);
  url.username = '';
  url.password = '';
  const { token: _, ...others } = visit.options;
  const basic = { user: decoded(username) ?? username, password: decoded(password) ?? password };
  return contractsAt(url, username === '' ? visit : { ...visit, options: { ...others, basic } }).catch(failure);
}

/** What a request without a usable reply means for the run. */
function failure(error: unknown): Found {
  if (!(error instanceof NoReply)) throw error;
  const { message, status } = error;
  return status === 'unreachable' ? finding({ unreachable: [message] }) : problem(message);
}

/** Rejects with `NoReply`. */
async function contractsAt(asked: URL, visit: BrokerVisit): Promise<Found> {
  const reply = await request(asked, visit);
  const { json, text, url } = reply;
  if (json.interactions !== undefined || json.messages !== undefined) {
    const isBrokered = href(json, 'pb:publish-verification-results') !== undefined;
    if (isBrokered) return pactFound(reply, url, { isPending: false, notices: [] });
    return contractFound(readPact(text, redactUrl(asked.href)));
  }
  const link = href(json, 'pb:provider-pacts-for-verification');
  if (link !== undefined) return allContracts(link, url, visit);
  const what = 'responds with JSON that is neither a pact nor the root of a Pact Broker';
  return problem(`${redactUrl(asked.href)} ${what}.`);
}

/** All matching pacts of a broker. `link`: of its index. `broker`: the URL of its index after redirects. */
async function allContracts(link: string, broker: URL, visit: BrokerVisit): Promise<Found> {
  const { providers } = visit;
  const wanted = providers.length === 0 ? knownProviders : providers;
  const at = redactUrl(broker.href);
  const found = await Promise.all(
    wanted.map(provider =>
      contractsOf(provider, link, broker, visit).catch(error =>
        error instanceof NoReply && error.status === 404 ? undefined : failure(error),
      ),
    ),
  );
  const names = wanted.map(name => JSON.stringify(name));
  if (found.every(one => one === undefined))
    return problem(`${at} has no pacts for ${names.join(' or ')}: check the URL of the broker.`);
  const skipped = (i: number) =>
    finding({ notices: [`${at} does not know the provider ${names[i]}, which is skipped.`] });
  return together(found.map((one, i) => one ?? skipped(i)));
}

/** Rejects with a `NoReply` of status 404 if the broker does not know the provider. */
async function contractsOf(provider: string, link: string, broker: URL, visit: BrokerVisit): Promise<Found> {
  const { selectors, includePending, includeWipSince, providerBranch, providerTags = [] } = visit.options;
  const { json } = await request(placed(expanded(link, { provider }), broker), visit, {
    consumerVersionSelectors: selectors,
    includePendingStatus: includePending,
    ...(includeWipSince !== undefined && { includeWipPactsSince: includeWipSince }),
    ...(providerBranch !== undefined && { providerVersionBranch: providerBranch }),
    ...(providerTags.length > 0 && { providerVersionTags: providerTags }),
  });
  const pacts = isObject(json._embedded) && Array.isArray(json._embedded.pacts) ? json._embedded.pacts : [];
  const listed = pacts.filter(isObject).filter(pact => href(pact, 'self') !== undefined);
  const by =
    selectors.length === 0
      ? ''
      : ` with ${selectors.length === 1 ? 'the selector' : 'the selectors'} ${selectors.map(one => JSON.stringify(one)).join(', ')}`;
  if (listed.length === 0)
    return finding({ notices: [`${redactUrl(broker.href)} has no pact for ${provider} to verify${by}.`] });
  const found: Found[] = [];
  for (let i = 0; i < listed.length; i += AT_ONCE) {
    const some = listed.slice(i, i + AT_ONCE).map(pact => listedContract(pact, broker, visit).catch(failure));
    found.push(...(await Promise.all(some)));
  }
  return together(found);
}

/** A pact as a broker lists it. */
async function listedContract(listed: Json, broker: URL, visit: BrokerVisit): Promise<Found> {
  const url = placed(href(listed, 'self') ?? '', broker);
  const properties = isObject(listed.verificationProperties) ? listed.verificationProperties : {};
  const notices = noticesIn(properties.notices);
  const isEarly = ({ when }: { readonly when: string }) => when === 'before_verification';
  return pactFound(await request(url, visit), url, {
    isPending: properties.pending === true,
    notices: notices.filter(isEarly).map(({ text }) => text),
    later: notices.filter(notice => !isEarly(notice)),
    url: broker.href,
  });
}

function request(url: URL, { options: credentials, patience }: BrokerVisit, body?: object): Promise<JsonReply> {
  return askJson(url, { credentials, patience, ...(body !== undefined && { method: 'POST', body }) });
}

/** Notices of the broker: why a pact is to be verified, and whether it counts. */
function noticesIn(notices: unknown): NonNullable<Brokered['later']> {
  if (!Array.isArray(notices)) return [];
  return notices.flatMap((notice: unknown) => {
    if (!isObject(notice) || typeof notice.text !== 'string') return [];
    return [{ when: typeof notice.when === 'string' ? notice.when : 'before_verification', text: notice.text }];
  });
}

/** A pact from a broker, with its links. */
function pactFound({ json, text }: JsonReply, url: URL, said: Brokered): Found {
  const publish = href(json, 'pb:publish-verification-results');
  const at = new URL(said.url ?? url.origin);
  const broker = { ...said, ...(publish !== undefined && { publishTo: placed(publish, at).href }) };
  return contractFound(readPact(text, redactUrl(url.href), broker));
}
