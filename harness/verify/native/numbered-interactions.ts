// Interactions for one run of the verifier: description and states are replaced by a number, so that requests and results can be matched even if the
// file repeats itself.
import { isObject } from '../../../server/domain/form/patch.js';
import type { Contract, Interaction } from '../contract/contract.js';
import { OF_CONNECTION } from './loopback.js';
import type { RunItem } from './run-pacts.js';

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

/** One state in both notations: each version of the specification reads one of them. */
export function withNumber({ number, contract, interaction }: Numbered): RunItem {
  const { provider_state: _, pending: __, ...written } = interaction.written;
  const description = String(number);
  const states = { providerState: description, providerStates: [{ name: description }] };
  return {
    description,
    contract,
    written: { ...written, ...states, request: withoutConnectionHeaders(written.request) },
  };
}

/** A recorded length or hop-by-hop header belongs to another connection: with it, the sent request could be cut off or never end. */
function withoutConnectionHeaders(request: unknown): unknown {
  if (!isObject(request) || !isObject(request.headers)) return request;
  const headers = Object.entries(request.headers).filter(([name]) => !OF_CONNECTION.has(name.toLowerCase()));
  return { ...request, headers: Object.fromEntries(headers) };
}
