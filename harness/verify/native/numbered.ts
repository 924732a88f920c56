// Pact files for one run of the verifier: each interaction's description and states are replaced by a number, so that requests and results can be
// matched even if the file repeats itself.
import { isObject } from '../../../server/domain/form/patch.js';
import type { Contract, Interaction, Json } from '../contract/contract.js';
import { OF_CONNECTION } from './loopback.js';

/** An interaction of a run, with its number. */
export interface Numbered {
  readonly number: number;
  readonly contract: Contract;
  readonly interaction: Interaction;
}

/** The interactions of all contracts in order, numbered from 0. */
export function numberAll(contracts: readonly Contract[]): Numbered[] {
  let number = 0;
  return contracts.flatMap(contract =>
    contract.interactions.map(interaction => ({ number: number++, contract, interaction })),
  );
}

/** A pact file for each contract, with these of its interactions. */
export function numberedFiles(numbered: readonly Numbered[]): Json[] {
  const contracts = [...new Set(numbered.map(({ contract }) => contract))];
  return contracts.map(contract => ({
    ...contract.document,
    interactions: numbered.filter(one => one.contract === contract).map(withNumber),
  }));
}

/** One state in both notations: each version of the specification reads one of them. */
function withNumber({ number, interaction }: Numbered): Json {
  const { provider_state: _, pending: __, ...written } = interaction.written;
  return {
    ...written,
    request: withoutConnectionHeaders(written.request),
    description: String(number),
    providerState: String(number),
    providerStates: [{ name: String(number) }],
  };
}

/** A recorded length or hop-by-hop header belongs to another connection: with it, the sent request could be cut off or never end. */
function withoutConnectionHeaders(request: unknown): unknown {
  if (!isObject(request) || !isObject(request.headers)) return request;
  const headers = Object.entries(request.headers).filter(([name]) => !OF_CONNECTION.has(name.toLowerCase()));
  return { ...request, headers: Object.fromEntries(headers) };
}
