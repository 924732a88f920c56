// How a step shows who asked, though the journal keeps no secrets: by the fixture's own password, or by proof that is as wrong as it was then.
import { ANONYMOUS, type World } from '../../domain/world.js';
import type { JournalEntry } from '../../engine/journal/journal-entry.js';
import type { Credentials } from '../../engine/request/request.js';
import { callerOf } from '../../engine/request/stages/caller.js';
import { defaultReadings } from '../../operations/gaps/gaps.js';
import { isRefused, Provenance } from '../../operations/provenance.js';
import type { As } from '../format/step-format.js';

/** What a step says of its caller, or the header that it sends; `undefined`: it can be shown in neither way. */
export type Shown = { readonly as?: As; readonly header?: string };

/** `start`: the world of the scenario, by which `as` is understood; `world`: the one on which the step is played. */
export function proofOf(entry: JournalEntry, start: World, world: World): Shown | undefined {
  if (entry.unproved !== undefined) return wrongProof(entry.unproved, world);
  const user = entry.caller ?? entry.unasked ?? ANONYMOUS;
  if (user === ANONYMOUS) return {};
  if (user.includes(':')) return undefined;
  const password = world.users.get(user)?.password;
  const known = start.users.get(user);
  const isKnown = known !== undefined && (password === undefined || password === (known.password ?? user));
  return { as: isKnown ? user : { user, password: password ?? user } };
}

/** What each Authorization is that no credentials can be read from, by what is said of it. */
const unreadable: ReadonlyArray<readonly [problem: string, header: string]> = [
  ['The Authorization header is empty.', ''],
  ['The Authorization header says Bearer and shows no token.', 'Bearer'],
  ['The Authorization header has a scheme that is neither Basic nor Bearer.', 'Digest none'],
  ['The Authorization header says Basic and shows no user and password.', 'Basic'],
  ['The Basic credentials are not base64.', 'Basic *'],
  ['The Basic credentials are not UTF-8.', 'Basic /zo='],
  ['The Basic credentials have no colon between user and password.', 'Basic YQ=='],
];

function wrongProof(problem: string, world: World): Shown | undefined {
  const header = unreadable.find(([known]) => known === problem)?.[1];
  if (header !== undefined) return { header };
  const [, quoted] = /^(?:There is no user named|The password of) ("(?:[^"\\]|\\.)*")/.exec(problem) ?? [];
  const user = quoted === undefined ? undefined : (JSON.parse(quoted) as string); // it was quoted as JSON
  const as = user === undefined ? { token: 'of nobody' } : { user, password: 'another one' };
  return !user?.includes(':') && refusalOf(as, world) === problem ? { as } : undefined;
}

function refusalOf(as: Exclude<As, string>, world: World): string | undefined {
  const credentials: Credentials = 'token' in as ? { kind: 'bearer', token: as.token } : { kind: 'basic', ...as };
  const caller = callerOf(credentials, world, new Provenance(defaultReadings));
  return isRefused(caller) ? caller.message : undefined;
}
