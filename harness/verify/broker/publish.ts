// Publishes results to the broker that the contracts came from. A failure here does not change the result of the run.
import { packageVersion } from '../../../server/process/package.js';
import type { Contract } from '../contract/contract.js';
import { counts, type Verdict, type Verification } from '../contract/verdict.js';
import { guessWarning } from '../results/render-interaction.js';
import { byContract } from '../results/totals.js';
import { type Asking, ask, askJson, type Credentials, expanded, href, NoReply, PATIENCE_MS, placed } from './ask.js';

export interface PublishOptions extends Credentials {
  /** The verified version of the provider, such as a commit. */
  readonly providerVersion: string;
  readonly branch?: string;
  readonly tags?: readonly string[];
  /** URL of the build. */
  readonly buildUrl?: string;
  /** Whether interactions that the document does not promise count as failed. */
  readonly isStrict: boolean;
  /** Milliseconds for each response. Default: 30 seconds. */
  readonly patience?: number;
}

/** Publishes the result of each contract from a broker. Returns the failures, one sentence each. */
export async function publishResults(verification: Verification, options: PublishOptions): Promise<readonly string[]> {
  const brokered = byContract(verification.verdicts).filter(({ contract }) => contract.broker !== undefined);
  if (brokered.length === 0) return ['Nothing was published: no contract comes from a broker.'];
  const asking = { credentials: options, patience: options.patience ?? PATIENCE_MS };
  /** By provider and broker: the result of registering the version. */
  const registered = new Map<string, Promise<void>>();
  const publish = async (contract: Contract, verdicts: readonly Verdict[]) => {
    const { provider, broker } = contract;
    const to = broker?.publishTo;
    if (to === undefined) throw new NoReply('the broker gave no link for publishing it.');
    const key = JSON.stringify([broker?.url, provider]);
    const root = new URL(broker?.url ?? new URL(to).origin);
    const registering = registered.get(key) ?? register(contract, root, options, asking);
    registered.set(key, registering);
    await registering;
    await ask(new URL(to), { ...asking, method: 'POST', body: resultBody(verdicts, options) });
  };
  const problems: string[] = [];
  for (const { contract, verdicts } of brokered)
    await publish(contract, verdicts).catch(error => {
      if (!(error instanceof NoReply)) throw error;
      const { consumer, provider } = contract;
      problems.push(`The result of ${consumer} with ${provider} was not published: ${error.message}`);
    });
  return [...new Set(problems)];
}

/** Registers branch and tags of the version once for each provider, before a result: a result makes the version known. Rejects with `NoReply`. */
async function register(
  { document, provider }: Contract,
  root: URL,
  { branch, tags = [], providerVersion: version }: PublishOptions,
  asking: Asking,
): Promise<void> {
  if (branch === undefined && tags.length === 0) return;
  const link = href(document, 'pb:provider') ?? `pacticipants/${encodeURIComponent(provider)}`;
  const { json } = await askJson(placed(link, root), asking);
  const put = async (rel: string, what: string, values: Readonly<Record<string, string>>) => {
    const target = href(json, rel);
    if (target === undefined) throw new NoReply(`the broker has no ${rel}: it does not support ${what}.`);
    await ask(placed(expanded(target, values), root), { ...asking, method: 'PUT', body: {} });
  };
  if (branch !== undefined) await put('pb:branch-version', 'branches', { version, branch });
  for (const tag of tags) await put('pb:version-tag', 'tags', { version, tag });
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
export function isGood(verdict: Verdict, isStrict: boolean): boolean {
  return !counts({ ...verdict, isPending: false }, isStrict);
}

function testResult(verdict: Verdict, isStrict: boolean): object {
  const { interaction, differences } = verdict;
  const success = isGood(verdict, isStrict);
  const exceptions = success ? [] : exceptionsIn(verdict, isStrict).map(message => ({ message }));
  const mismatches = differences.map(({ part, place, says }) => ({
    attribute: part,
    ...(place !== '' && { identifier: place }),
    description: says,
  }));
  return {
    ...(interaction.id !== undefined && { interactionId: interaction.id }),
    interactionDescription: interaction.description,
    success,
    ...(mismatches.length > 0 && { mismatches }),
    ...(exceptions.length > 0 && { exceptions }),
  };
}

/** Why it counts, besides the differences. */
function exceptionsIn(verdict: Verdict, isStrict: boolean): string[] {
  const { outcome, problem, classification } = verdict;
  const reasons = outcome === 'unverified' ? [problem ?? 'It could not be verified.'] : [];
  if (classification.kind === 'contradicts') {
    const { rules, says } = classification;
    const which = rules.length === 0 ? 'The document does not describe this' : `This contradicts ${rules.join(', ')}`;
    return [...reasons, `${which}: ${says.join(' ')}`];
  }
  const guess = isStrict ? guessWarning(verdict) : undefined;
  return guess === undefined ? reasons : [...reasons, `The document does not promise this. ${guess}`];
}
