// Selects the contracts whose provider is verified here.
import { nearest } from '../../../server/engine/nearest.js';
import type { Contract } from '../contract/contract.js';
import { type Found, finding, problem } from './found.js';

/** The providers that this package implements, one for each API. */
export const knownProviders: readonly string[] = ['wiki-extension', 'push-pull'];

/** Parses `name` or `name=api`: a provider, and the API it implements. */
export function parseProvider(text: string): { readonly name: string } | { readonly problem: string } {
  const at = text.lastIndexOf('=');
  const name = at === -1 ? text : text.slice(0, at);
  const api = at === -1 ? undefined : text.slice(at + 1);
  if (name === '') return { problem: 'it must be name[=api]' };
  if (api === undefined || knownProviders.includes(api)) return { name };
  const known = knownProviders.join(' or ');
  return {
    problem: `unknown API ${JSON.stringify(api)}${nearest(api, knownProviders)}: expected ${known}`,
  };
}

/** Contracts of these providers; others are left out with a notice. Without a list, an unknown provider is an error. */
export function ofProvider(contracts: readonly Contract[], providers: readonly string[]): Found {
  if (providers.length > 0) return chosen(contracts, providers);
  const isKnown = (contract: Contract) => knownProviders.includes(contract.provider);
  return finding({
    contracts: contracts.filter(isKnown),
    problems: contracts
      .filter(contract => !isKnown(contract))
      .map(({ source, provider: name, interactions }) => {
        const api = interactions.some(({ request }) => request.includes('/cwx-ppf/')) ? 'push-pull' : 'wiki-extension';
        const wrong = `${source}: Unknown provider ${JSON.stringify(name)}${nearest(name, knownProviders)}`;
        return `${wrong}: expected ${knownProviders.join(' or ')}. If it implements one of them, map its name, as in --provider ${worded(name)}=${api}.`;
      }),
  });
}

function chosen(contracts: readonly Contract[], providers: readonly string[]): Found {
  const kept = contracts.filter(({ provider }) => providers.includes(provider));
  const others = [...new Set(contracts.map(({ provider }) => provider))].filter(name => !providers.includes(name));
  const missing = providers.filter(name => !kept.some(({ provider }) => provider === name));
  const says = missing.map(name => `No contract has the provider ${JSON.stringify(name)}${nearest(name, others)}`);
  if (contracts.length > 0 && kept.length === 0) {
    const there = `the contracts have ${others.map(name => JSON.stringify(name)).join(', ')}.`;
    return problem(...says.map(wrong => `${wrong}: ${there}`));
  }
  const left = contracts.length - kept.length;
  const count = left === 1 ? 'One contract' : `${left} contracts`;
  return finding({
    contracts: kept,
    notices: [
      ...(contracts.length === 0 ? [] : says.map(wrong => `${wrong}.`)),
      ...(left === 0 ? [] : [`${count} with other providers skipped: ${others.join(', ')}.`]),
    ],
  });
}

/** Quoted for a command line. */
function worded(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
