// The caller of a recorded step, though the journal has no secrets: the fixture's own password, or credentials that are as wrong as the original
// ones.
import { ANONYMOUS, type World } from '../../domain/world/world.js';
import type { JournalEntry } from '../../engine/journal/journal-entry.js';
import type { As } from '../format/step-format.js';

/** The caller of a step, or the header that it sends; `undefined`: neither is possible. */
export type ShownCredentials = { readonly as?: As; readonly header?: string };

/** `start`: the world of the scenario, which decides what `as` means; `world`: the one at the step. */
export function recordedCaller(entry: JournalEntry, start: World, world: World): ShownCredentials | undefined {
  if (entry.credentialsProblem !== undefined) return wrongProof(entry.claimed, world);
  const user = entry.caller ?? entry.ignoredCaller ?? ANONYMOUS;
  if (user === ANONYMOUS) return {};
  if (user.includes(':')) return undefined;
  const password = world.users.get(user)?.password;
  const known = start.users.get(user);
  const isKnown = known !== undefined && (password === undefined || password === (known.password ?? user));
  return { as: isKnown ? user : { user, password: password ?? user } };
}

const WRONG = 'another one';

function wrongProof(claimed: JournalEntry['claimed'], world: World): ShownCredentials | undefined {
  if (claimed === undefined) return { as: { token: 'of nobody' } };
  if ('header' in claimed) return { header: claimed.header };
  const { user } = claimed;
  const known = world.users.get(user);
  const isWrong = known === undefined || (known.password !== undefined && known.password !== WRONG);
  return isWrong && !user.includes(':') ? { as: { user, password: WRONG } } : undefined;
}
