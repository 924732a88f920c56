// Pact files for one run of the verifier: each interaction has a number in the place of its description and of its states, so that what is
// asked and what comes of it can be told apart whatever the file says twice. Runs nothing.
import type { Contract, Interaction, Json } from '../contract.js';

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

/** One state in both spellings: every version of the specification reads one of them. */
function withNumber({ number, interaction }: Numbered): Json {
  const { provider_state: _, pending: __, ...written } = interaction.written;
  return {
    ...written,
    description: String(number),
    providerState: String(number),
    providerStates: [{ name: String(number) }],
  };
}
