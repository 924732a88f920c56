// The pacts that a Pact Broker has for these providers, by the links that it gives.
// Knows no command and no file; what it publishes back is in publish.ts.

import { isObject } from '../../domain/form/patch.js';
import { redactUrl } from '../../engine/journal/secrets.js';
import type { Brokered, Json } from '../contract.js';
import { contractFound, type Found, finding, together } from '../pacts/found.js';
import { knownProviders } from '../pacts/providers.js';
import { readPact } from '../pacts/read-pact.js';
import { ask, type NoReply, type Reply } from './ask.js';
import type { Credentials } from './broker-credentials.js';
import { expanded, href, hrefs, placed } from './hal.js';
import { type JsonReply, jsonIn } from './json-reply.js';
import type { Selector } from './selectors.js';

export interface BrokerOptions extends Credentials {
  /** Empty: the broker's own choice. */
  readonly selectors: readonly Selector[];
  /** Whether the broker may say of a pact that failures do not count yet. */
  readonly includePending: boolean;
  /** A date, `2026-01-31`: pacts that are being worked on since then come along, and do not count. */
  readonly includeWipSince?: string;
  readonly providerBranch?: string;
  readonly providerTags?: readonly string[];
}

export interface BrokerVisit {
  /** Empty: all providers that this package plays. */
  readonly providers: readonly string[];
  readonly options: BrokerOptions;
  /** Milliseconds for each answer. */
  readonly patience: number;
}

const FOR_VERIFICATION = ['pb:provider-pacts-for-verification', 'beta:provider-pacts-for-verification'] as const;
const LATEST = 'pb:latest-provider-pacts';
/** So many pacts are asked for at once. */
const AT_ONCE = 8;

/** Whether a resource is the index of a broker. */
export function isBrokerIndex(resource: Json): boolean {
  return href(resource, ...FOR_VERIFICATION, LATEST) !== undefined;
}

/** Everything that the broker has. `broker`: where its index was found in the end. */
export async function gatherFromBroker(index: Json, broker: URL, visit: BrokerVisit): Promise<Found> {
  const wanted = visit.providers.length === 0 ? knownProviders : visit.providers;
  const visits = await Promise.all(wanted.map(provider => new Visit(broker, visit, provider).from(index)));
  const isUnknown = visits.every(found => found === undefined);
  const names = wanted.map(name => JSON.stringify(name)).join(' nor ');
  if (isUnknown)
    return finding({ problems: [`${redactUrl(broker.href)} has no pacts of ${names}: is it the right broker?`] });
  return together(
    visits.map(
      (found, i) =>
        found ??
        finding({
          notices: [`${redactUrl(broker.href)} knows no provider ${JSON.stringify(wanted[i])}: passed over.`],
        }),
    ),
  );
}

/** A pact as a broker lists it. */
interface Listed {
  readonly target: string;
  readonly isPending: boolean;
  readonly notices: readonly string[];
}

/** One broker, asked for one provider. */
class Visit {
  constructor(
    private readonly broker: URL,
    private readonly visit: BrokerVisit,
    private readonly provider: string,
  ) {}

  /** Nothing where the broker does not know the provider. */
  async from(index: Json): Promise<Found | undefined> {
    const forVerification = href(index, ...FOR_VERIFICATION);
    const latest = href(index, LATEST);
    const link = forVerification ?? latest;
    if (link === undefined) return finding({}); // it was seen before that there is one of them
    const url = placed(expanded(link, { provider: this.provider }), this.broker);
    const body = forVerification === undefined ? undefined : this.#query();
    const reply = await this.#ask(url, body);
    if ('status' in reply && reply.status === 404) return undefined;
    const read = jsonIn(reply, this.visit.options);
    if ('found' in read) return read.found;
    const list = read.json;
    const listed = forVerification === undefined ? latestIn(list) : toVerifyIn(list);
    const notices = forVerification === undefined ? [this.#oldNotice()] : [];
    const none = `${redactUrl(this.broker.href)} has no pact of ${this.provider} to verify${this.#bySelectors()}.`;
    return together([
      finding({ notices: listed.length === 0 ? [...notices, none] : notices }),
      ...(await this.pacts(listed)),
    ]);
  }

  async pacts(listed: readonly Listed[]): Promise<readonly Found[]> {
    const found: Found[] = [];
    for (let i = 0; i < listed.length; i += AT_ONCE)
      found.push(...(await Promise.all(listed.slice(i, i + AT_ONCE).map(one => this.#pact(one)))));
    return found;
  }

  async #pact({ target, isPending, notices }: Listed): Promise<Found> {
    const url = placed(target, this.broker);
    const reply = await this.#ask(url);
    const read = jsonIn(reply, this.visit.options);
    if ('found' in read) return read.found;
    return pactFound(read, url, { isPending, notices, url: this.broker.href });
  }

  #ask(url: URL, body?: object): Promise<Reply | NoReply> {
    const { options: credentials, patience } = this.visit;
    return ask(url, { credentials, patience, ...(body !== undefined && { method: 'POST', body }) });
  }

  #query(): object {
    const { selectors, includePending, includeWipSince, providerBranch, providerTags = [] } = this.visit.options;
    return {
      consumerVersionSelectors: selectors,
      includePendingStatus: includePending,
      ...(includeWipSince !== undefined && { includeWipPactsSince: includeWipSince }),
      ...(providerBranch !== undefined && { providerVersionBranch: providerBranch }),
      ...(providerTags.length > 0 && { providerVersionTags: providerTags }),
    };
  }

  #bySelectors(): string {
    const { selectors } = this.visit.options;
    return selectors.length === 0 ? '' : ` by ${selectors.map(selector => JSON.stringify(selector)).join(', ')}`;
  }

  #oldNotice(): string {
    const { selectors, includePending, includeWipSince } = this.visit.options;
    const isPlain = selectors.length === 0 && !includePending && includeWipSince === undefined;
    const lost = isPlain ? '' : ' Selectors, pending pacts and those in work are not heeded by it.';
    return `${redactUrl(this.broker.href)} is an older broker: the latest pact of each consumer with ${this.provider} is taken.${lost}`;
  }
}

/** The pacts of a list of latest pacts, such as an older broker gives, or such as a URL of a broker may name. */
export function gatherListed(list: Json, broker: URL, visit: BrokerVisit): Promise<readonly Found[]> {
  return new Visit(broker, visit, '').pacts(latestIn(list));
}

export function isPactList(resource: Json): boolean {
  return latestIn(resource).length > 0;
}

function latestIn(list: Json): Listed[] {
  const targets = hrefs(list, 'pb:pacts');
  const all = targets.length > 0 ? targets : hrefs(list, 'pacts');
  return all.map(target => ({ target, isPending: false, notices: [] }));
}

function toVerifyIn(list: Json): Listed[] {
  const pacts = isObject(list._embedded) ? list._embedded.pacts : undefined;
  if (!Array.isArray(pacts)) return [];
  return pacts.flatMap((pact: unknown) => {
    const target = isObject(pact) ? href(pact, 'self') : undefined;
    if (!isObject(pact) || target === undefined) return [];
    const { pending, notices } = isObject(pact.verificationProperties) ? pact.verificationProperties : {};
    return [{ target, isPending: pending === true, notices: noticesIn(notices) }];
  });
}

/** What is to be told before a verification: why a pact is there, and whether it counts. */
function noticesIn(notices: unknown): string[] {
  if (!Array.isArray(notices)) return [];
  return notices.flatMap((notice: unknown) => {
    if (!isObject(notice) || typeof notice.text !== 'string') return [];
    return notice.when === undefined || notice.when === 'before_verification' ? [notice.text] : [];
  });
}

/** A pact that a broker has given, with what its links say. */
export function pactFound({ json, text }: JsonReply, url: URL, said: Brokered): Found {
  const publish = href(json, 'pb:publish-verification-results');
  const at = new URL(said.url ?? url.origin);
  const broker = { ...said, ...(publish !== undefined && { publishTo: placed(publish, at).href }) };
  return contractFound(readPact(text, redactUrl(url.href), broker));
}
