// Which of the contracts are for a provider that is verified here. Knows neither where contracts come from nor what is in them.
import { nearest } from '../../engine/nearest.js';
import type { Contract } from '../contract.js';
import { type Found, finding } from './found.js';

/** The providers that this package plays, one for each API. */
export const knownProviders: readonly string[] = ['wiki-extension', 'push-pull'];

/** Those of one provider; without one all, where a provider that is not known is a problem. */
export function ofProvider(contracts: readonly Contract[], provider: string | undefined): Found {
  if (provider !== undefined) return chosen(contracts, provider);
  const isKnown = (contract: Contract) => knownProviders.includes(contract.provider);
  return finding({
    contracts: contracts.filter(isKnown),
    problems: contracts
      .filter(contract => !isKnown(contract))
      .map(({ source, provider: name }) => {
        const wrong = `${source}: There is no provider ${JSON.stringify(name)}${nearest(name, knownProviders)}`;
        return `${wrong}: here are ${knownProviders.join(' and ')}. --provider ${worded(name)} verifies it as it is.`;
      }),
  });
}

function chosen(contracts: readonly Contract[], provider: string): Found {
  const kept = contracts.filter(contract => contract.provider === provider);
  const others = [...new Set(contracts.map(contract => contract.provider))].filter(name => name !== provider);
  if (contracts.length > 0 && kept.length === 0) {
    const wrong = `No contract has the provider ${JSON.stringify(provider)}${nearest(provider, others)}`;
    return finding({
      problems: [`${wrong}: those there are have ${others.map(name => JSON.stringify(name)).join(', ')}.`],
    });
  }
  const left = contracts.length - kept.length;
  if (left === 0) return finding({ contracts: kept });
  const count = left === 1 ? 'One contract' : `${left} contracts`;
  return finding({ contracts: kept, notices: [`${count} with another provider left out: ${others.join(', ')}.`] });
}

/** As it is written on a command line. */
function worded(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
