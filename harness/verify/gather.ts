// Collects the contracts that the user names (files, folders, URLs of pacts and of brokers) and all errors in them.

import { fileURLToPath } from 'node:url';
import { redactUrl } from '../../server/engine/secrets.js';
import { parsedUrl } from '../../server/outgoing/parsed-url.js';
import { PATIENCE_MS } from './broker/ask.js';
import { type BrokerOptions, fromUrl } from './broker/broker.js';
import { fromPath } from './pacts/files.js';
import { type Found, finding, problem, together } from './pacts/found.js';
import { ofProvider } from './pacts/providers.js';

export interface GatherOptions {
  /** Only contracts with these providers. Default: the known providers. */
  readonly providers?: readonly string[];
  /** Credentials, sent to each named http(s) URL and nowhere else. */
  readonly broker: BrokerOptions;
  /** Milliseconds for each response. Default: 30 seconds. */
  readonly patience?: number;
}

/** Each word is a file, a folder, or an http(s) or file URL. Duplicates count once. */
export async function gather(words: readonly string[], options: GatherOptions): Promise<Found> {
  const seen = new Set<string>();
  const isNew = (identity: string) => !seen.has(identity) && seen.add(identity) !== undefined;
  const found = together(await Promise.all(words.map(word => fromWord(word, options, isNew))));
  const { contracts, problems, notices } = ofProvider(found.contracts, options.providers ?? []);
  const isEmpty = contracts.filter(({ interactions }) => interactions.length === 0);
  return {
    ...found,
    contracts,
    problems: [...found.problems, ...problems],
    notices: [
      ...found.notices,
      ...notices,
      ...contracts.flatMap(contract => contract.notices),
      ...isEmpty.map(({ source }) => `${source} has no interactions.`),
    ],
  };
}

function fromWord(word: string, options: GatherOptions, isNew: (identity: string) => boolean): Promise<Found> | Found {
  const [scheme] = /^[a-z][a-z\d+.-]*(?=:\/\/)|^file(?=:)/i.exec(word) ?? [];
  if (scheme === undefined) return fromPath(word, isNew);
  const url = parsedUrl(word);
  if (url === undefined) return problem(`${JSON.stringify(word.replace(/^([^/]*\/\/).*@/s, '$1'))} is not a URL.`);
  if (url.protocol === 'file:') return fromFileUrl(url, isNew);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return problem(
      `${redactUrl(url.href)}: Pacts are read from files, folders and http(s) URLs, not from ${scheme} URLs.`,
    );
  url.hash = '';
  if (!isNew(url.href)) return finding({});
  const { providers = [], broker, patience = PATIENCE_MS } = options;
  return fromUrl(url, { options: broker, patience, providers });
}

function fromFileUrl(url: URL, isNew: (identity: string) => boolean): Found {
  try {
    return fromPath(fileURLToPath(url), isNew);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return problem(`${url.href}: This is not a local file: ${reason}.`);
  }
}
