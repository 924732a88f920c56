// What a server does not let itself be asked at all: an interface it does not serve, a user it does not let in.
// Such an answer says nothing of a rule.
import type { Family } from '../../operations/operation.js';
import type { Played } from '../../scenario/play/player.js';
import { familyOf } from '../target/family.js';
import type { PlayedFile } from './played-file.js';

const interfaces: Readonly<Record<Family, string>> = { wiki: 'the wiki extension', ppf: 'push and pull' };

/** Why the answer to a step says nothing, if it does not. */
export type Shut = (played: Played) => string | undefined;

interface Answers {
  readonly family: Family;
  readonly user: string;
  readonly status: number;
  /** Whether an operation was asked for, and not an address that may be none. */
  readonly isCall: boolean;
}

/** `admin`: the name there of the user who is to be an admin. */
export function shutBy(files: readonly PlayedFile[], admin: string): Shut {
  const answers = files.flatMap(({ played }) => played).flatMap(answersOf);
  const missing = (['wiki', 'ppf'] as const).filter(family => {
    const own = answers.filter(one => one.family === family);
    return own.length > 0 && own.every(({ status }) => status === 404);
  });
  const keptOut = new Map<string, string | undefined>();
  return played => {
    const family = familyOf(played.step);
    if (family === undefined) return undefined;
    if (missing.includes(family)) return `this server does not serve ${interfaces[family]}`;
    const user = userOf(played);
    const key = `${family} ${user}`;
    if (!keptOut.has(key)) keptOut.set(key, keptOutOf(family, user, admin, answers));
    return played.outcome === 'failed' ? keptOut.get(key) : undefined; // that it refuses may be just what is asked for
  };
}

function keptOutOf(family: Family, user: string, admin: string, all: readonly Answers[]): string | undefined {
  if (user === 'anonymous') return undefined;
  const statuses = all.filter(one => one.family === family && one.user === user && one.isCall).map(one => one.status);
  if (statuses.length === 0 || statuses.some(status => status < 400)) return undefined;
  if (statuses.every(status => status === 401))
    return `this server answers 401 to ${user}, whatever is asked: is the password right?`;
  if (user !== admin || !statuses.some(status => status === 401 || status === 403)) return undefined;
  return family === 'ppf'
    ? `this server answers 403 to ${user}: either ${user} is no admin, or the add-on is not licensed`
    : `this server does not let ${user} ask the wiki extension anything`;
}

function answersOf(played: Played): Answers[] {
  const family = familyOf(played.step);
  const status = played.received?.status;
  if (family === undefined || status === undefined) return [];
  return [{ family, user: userOf(played), status, isCall: played.step.call !== undefined }];
}

/** Who asks with the right password; whoever else asks counts as nobody in particular. */
function userOf({ step }: Played): string {
  return typeof step.as === 'string' ? step.as : 'anonymous';
}
