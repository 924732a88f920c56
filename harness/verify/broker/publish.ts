// Publishes results to the broker that the contracts came from. A failure here does not change the result of the run.
import { packageVersion } from '../../../server/process/package.js';
import type { Contract } from '../contract/contract.js';
import { type Classification, counts, type Difference, type Verdict, type Verification } from '../contract/verdict.js';
import { ask, PATIENCE_MS } from './ask.js';
import type { Credentials } from './broker-credentials.js';
import { expanded, href, placed } from './hal.js';
import { jsonIn } from './json-reply.js';
import { refusalIn } from './refusal.js';

export interface PublishOptions extends Credentials {
  /** The verified version of the provider, such as a commit. */
  readonly providerVersion: string;
  readonly branch?: string;
  readonly tags?: readonly string[];
  /** URL of the build. */
  readonly buildUrl?: string;
  /** Whether interactions that the document does not promise count as failed. */
  readonly isStrict: boolean;
  /** Milliseconds for each answer. Default: 30 seconds. */
  readonly patience?: number;
}

/** Publishes the result of each contract from a broker. Returns the failures, one sentence each. */
export async function publishResults(verification: Verification, options: PublishOptions): Promise<readonly string[]> {
  const { verdicts } = verification;
  const brokered = [...new Set(verdicts.map(({ contract }) => contract))].filter(({ broker }) => broker !== undefined);
  if (brokered.length === 0) return ['Nothing was published: no contract comes from a broker.'];
  const publisher = new Publisher(options);
  const problems: string[] = [];
  for (const contract of brokered) {
    const own = verdicts.filter(verdict => verdict.contract === contract);
    problems.push(...(await publisher.publish(contract, own)));
  }
  return [...new Set(problems)];
}

class Publisher {
  /** By provider and broker: the result of registering the version. */
  readonly #named = new Map<string, Promise<string | undefined>>();

  constructor(private readonly options: PublishOptions) {}

  async publish(contract: Contract, verdicts: readonly Verdict[]): Promise<readonly string[]> {
    const { consumer, provider, broker } = contract;
    const to = broker?.publishTo;
    const unpublished = `The result of ${consumer} with ${provider} is not published`;
    if (to === undefined) return [`${unpublished}: the broker has no link for it.`];
    const unnamed = await this.#name(contract);
    if (unnamed !== undefined) return [`${unpublished}: ${unnamed}`];
    const problem = await this.#send('POST', new URL(to), resultBody(verdicts, this.options));
    return problem === undefined ? [] : [`${unpublished}: ${problem}`];
  }

  /** Registers branch and tags of the version once for each provider, before a result: a result makes the version known. */
  #name(contract: Contract): Promise<string | undefined> {
    const key = JSON.stringify([contract.broker?.url, contract.provider]);
    const named = this.#named.get(key) ?? this.#nameNow(contract);
    this.#named.set(key, named);
    return named;
  }

  async #nameNow({ document, source, provider, broker }: Contract): Promise<string | undefined> {
    const { branch, tags = [], providerVersion: version } = this.options;
    if (branch === undefined && tags.length === 0) return undefined;
    const root = new URL(broker?.url ?? new URL(broker?.publishTo ?? source).origin);
    const link = href(document, 'pb:provider') ?? `pacticipants/${encodeURIComponent(provider)}`;
    const read = jsonIn(await ask(placed(link, root), this.#asking()), this.options);
    if ('found' in read) return [...read.found.problems, ...read.found.unreachable].join(' ');
    const wanted = [
      ...(branch === undefined ? [] : [{ rel: 'pb:branch-version', values: { version, branch } }]),
      ...tags.map(tag => ({ rel: 'pb:version-tag', values: { version, tag } })),
    ];
    for (const { rel, values } of wanted) {
      const target = href(read.json, rel);
      if (target === undefined)
        return `the broker has no ${rel}: it does not support ${rel === 'pb:version-tag' ? 'tags' : 'branches'}.`;
      const problem = await this.#send('PUT', placed(expanded(target, values), root), {});
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  async #send(method: 'POST' | 'PUT', url: URL, body: object): Promise<string | undefined> {
    const reply = await ask(url, { ...this.#asking(), method, body });
    if ('unreachable' in reply) return reply.unreachable;
    return 'problem' in reply ? reply.problem : refusalIn(reply, this.options);
  }

  #asking(): { readonly credentials: Credentials; readonly patience: number } {
    return { credentials: this.options, patience: this.options.patience ?? PATIENCE_MS };
  }
}

/** The format in which verifiers report a contract to a broker. */
function resultBody(verdicts: readonly Verdict[], { providerVersion, buildUrl, isStrict }: PublishOptions): object {
  return {
    success: verdicts.every(verdict => isGood(verdict, isStrict)),
    providerApplicationVersion: providerVersion,
    ...(buildUrl !== undefined && { buildUrl }),
    testResults: verdicts.map(verdict => testResult(verdict, isStrict)),
    verifiedBy: { implementation: 'cwx-fake', version: packageVersion() },
  };
}

/** A failed pending interaction is reported as failed: the broker knows that it does not count yet. */
function isGood(verdict: Verdict, isStrict: boolean): boolean {
  return !counts({ ...verdict, isPending: false }, isStrict);
}

function testResult(verdict: Verdict, isStrict: boolean): object {
  const { interaction, differences } = verdict;
  const isSuccess = isGood(verdict, isStrict);
  const exceptions = isSuccess ? [] : exceptionsIn(verdict, isStrict);
  return {
    ...(interaction.id !== undefined && { interactionId: interaction.id }),
    interactionDescription: interaction.description,
    success: isSuccess,
    ...(differences.length > 0 && { mismatches: differences.map(mismatch) }),
    ...(exceptions.length > 0 && { exceptions: exceptions.map(message => ({ message })) }),
  };
}

function mismatch({ part, place, says }: Difference): object {
  return { attribute: part, ...(place !== '' && { identifier: place }), description: says };
}

/** Why it counts, besides the differences. */
function exceptionsIn({ outcome, problem, classification }: Verdict, isStrict: boolean): string[] {
  const reasons = outcome === 'unverified' ? [problem ?? 'It could not be verified.'] : [];
  return [...reasons, ...classificationTexts(classification, isStrict)];
}

function classificationTexts(classification: Classification, isStrict: boolean): string[] {
  if (classification.kind === 'contradicts') {
    const { rules, says } = classification;
    const which = rules.length === 0 ? 'The document does not describe this' : `This contradicts ${rules.join(', ')}`;
    return [`${which}: ${says.join(' ')}`];
  }
  if (classification.kind !== 'rests' || !isStrict) return [];
  return [`The document does not promise this; it rests on ${classification.on.map(({ gap }) => gap).join(', ')}.`];
}
