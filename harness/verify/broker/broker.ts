// The pacts of these providers at a Pact Broker, found by following its links. publish.ts sends results back.

import { isObject } from '../../../server/domain/form/patch.js';
import { redactUrl } from '../../../server/engine/secrets.js';
import type { Brokered, Json } from '../contract/contract.js';
import { contractFound, type Found, finding, together } from '../pacts/found.js';
import { knownProviders } from '../pacts/providers.js';
import { readPact } from '../pacts/read-pact.js';
import { ask, type NoReply, type Reply } from './ask.js';
import type { Credentials } from './broker-credentials.js';
import { expanded, href, placed } from './hal.js';
import { type JsonReply, jsonIn } from './json-reply.js';
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
  /** Milliseconds for each answer. */
  readonly patience: number;
}

/** Number of pacts requested at the same time. */
const AT_ONCE = 8;

/** The link of a broker's index to the pacts that a provider has to verify; `undefined` if the resource is no such index. */
export function linkToVerify(resource: Json): string | undefined {
  return href(resource, 'pb:provider-pacts-for-verification');
}

/** All matching pacts of the broker. `link`: of its index. `broker`: the URL of its index after redirects. */
export async function gatherFromBroker(link: string, broker: URL, visit: BrokerVisit): Promise<Found> {
  const wanted = visit.providers.length === 0 ? knownProviders : visit.providers;
  const visits = await Promise.all(wanted.map(provider => new Visit(broker, visit, provider).from(link)));
  const isUnknown = visits.every(found => found === undefined);
  const names = wanted.map(name => JSON.stringify(name)).join(' nor ');
  if (isUnknown)
    return finding({ problems: [`${redactUrl(broker.href)} has no pacts for ${names}: is it the right broker?`] });
  return together(
    visits.map(
      (found, i) =>
        found ??
        finding({
          notices: [`${redactUrl(broker.href)} knows no provider ${JSON.stringify(wanted[i])}, so it is skipped.`],
        }),
    ),
  );
}

/** A pact as a broker lists it. */
interface Listed {
  readonly target: string;
  readonly isPending: boolean;
  readonly notices: readonly string[];
  readonly later: NonNullable<Brokered['later']>;
}

/** One broker and one provider. */
class Visit {
  constructor(
    private readonly broker: URL,
    private readonly visit: BrokerVisit,
    private readonly provider: string,
  ) {}

  /** Empty if the broker does not know the provider. */
  async from(link: string): Promise<Found | undefined> {
    const url = placed(expanded(link, { provider: this.provider }), this.broker);
    const reply = await this.#ask(url, this.#query());
    if ('status' in reply && reply.status === 404) return undefined;
    const read = jsonIn(reply, this.visit.options);
    if ('found' in read) return read.found;
    const listed = toVerifyIn(read.json);
    const none = `${redactUrl(this.broker.href)} has no pact for ${this.provider} to verify${this.#bySelectors()}.`;
    return together([finding({ notices: listed.length === 0 ? [none] : [] }), ...(await this.#pacts(listed))]);
  }

  async #pacts(listed: readonly Listed[]): Promise<readonly Found[]> {
    const found: Found[] = [];
    for (let i = 0; i < listed.length; i += AT_ONCE)
      found.push(...(await Promise.all(listed.slice(i, i + AT_ONCE).map(one => this.#pact(one)))));
    return found;
  }

  async #pact({ target, isPending, notices, later }: Listed): Promise<Found> {
    const url = placed(target, this.broker);
    const reply = await this.#ask(url);
    const read = jsonIn(reply, this.visit.options);
    if ('found' in read) return read.found;
    return pactFound(read, url, { isPending, notices, later, url: this.broker.href });
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
}

function toVerifyIn(list: Json): Listed[] {
  const pacts = isObject(list._embedded) ? list._embedded.pacts : undefined;
  if (!Array.isArray(pacts)) return [];
  return pacts.flatMap((pact: unknown) => {
    const target = isObject(pact) ? href(pact, 'self') : undefined;
    if (!isObject(pact) || target === undefined) return [];
    const { pending, notices } = isObject(pact.verificationProperties) ? pact.verificationProperties : {};
    const all = noticesIn(notices);
    const isEarly = ({ when }: { readonly when: string }) => when === 'before_verification';
    return [
      {
        target,
        isPending: pending === true,
        notices: all.filter(isEarly).map(({ text }) => text),
        later: all.filter(notice => !isEarly(notice)),
      },
    ];
  });
}

/** Notices of the broker: why a pact is to be verified, and whether it counts. */
function noticesIn(notices: unknown): Array<{ readonly when: string; readonly text: string }> {
  if (!Array.isArray(notices)) return [];
  return notices.flatMap((notice: unknown) => {
    if (!isObject(notice) || typeof notice.text !== 'string') return [];
    return [{ when: typeof notice.when === 'string' ? notice.when : 'before_verification', text: notice.text }];
  });
}

/** A pact from a broker, with its links. */
export function pactFound({ json, text }: JsonReply, url: URL, said: Brokered): Found {
  const publish = href(json, 'pb:publish-verification-results');
  const at = new URL(said.url ?? url.origin);
  const broker = { ...said, ...(publish !== undefined && { publishTo: placed(publish, at).href }) };
  return contractFound(readPact(text, redactUrl(url.href), broker));
}
