// The names of all attacks, in the order in which they are told: apart from them, so that flags are read without loading them.

export const attackNames = [
  'beyond-loopback',
  'control-without-token',
  'wrong-token',
  'foreign-host',
  'doubled-host',
  'foreign-origin',
  'form-content-types',
  'cors-headers',
  'large-body',
  'large-headers',
  'many-headers',
  'idle-connections',
  'connection-limit',
  'request-smuggling',
  'path-traversal',
  'prototype-names',
  'header-injection',
  'request-ids',
  'deep-json',
  'huge-numbers',
  'pattern-bomb',
  'secrets',
  'slow-headers',
  'slow-body',
  'silent-connection',
  'error-details',
  'server-errors',
] as const;

export type AttackName = (typeof attackNames)[number];

/** The attacks that a word means: one, or all that begin alike where it ends with an asterisk. */
export function attacksMeant(word: string): readonly AttackName[] {
  return attackNames.filter(name => (word.endsWith('*') ? name.startsWith(word.slice(0, -1)) : name === word));
}
