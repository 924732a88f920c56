// Headers that prove who somebody is, put out of sight where they are told to others than who has sent or armed them.
import type { Fault } from './fault.js';
import { HIDDEN } from './shown-url.js';

const SECRET = /^(?:proxy-)?authorization$|^(?:set-)?cookie$|token|secret|passw|api[-_]?key|session/i;

/** Whether the value of a header may let somebody in. */
export function isSecretHeader(name: string): boolean {
  return SECRET.test(name);
}

/** The fault with a stand-in for each value that may be secret. */
export function secretlessFault<F extends Fault>(fault: F): F {
  const { headers } = fault.effect;
  if (headers === undefined) return fault;
  const told = Object.entries(headers).map(([name, value]) => [name, isSecretHeader(name) ? HIDDEN : value] as const);
  return { ...fault, effect: { ...fault.effect, headers: Object.fromEntries(told) } };
}
