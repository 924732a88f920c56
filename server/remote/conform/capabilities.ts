// Parts of a server that are inaccessible: an interface that is not served, a user who is not let in. Such answers say nothing about rules.
import type { Family } from '../../operations/operation.js';
import type { Played } from '../../scenario/play/player.js';
import { familyOf } from '../target/family.js';
import type { PlayedFile } from './played-file.js';

const interfaces: Readonly<Record<Family, string>> = { wiki: 'the wiki extension', ppf: 'push and pull' };

/** Why the answer to a step is useless, if it is. */
export type Shut = (played: Played) => string | undefined;

interface Answers {
  readonly family: Family;
  readonly user: string;
  readonly status: number;
  /** Whether the step requests an operation, not a possibly wrong address. */
  readonly isCall: boolean;
}

/** `admin`: the name there of the user who is to be an admin. `inTracker`: users whom the tracker itself lets in. */
export function shutBy(files: readonly PlayedFile[], admin: string, inTracker: ReadonlySet<string> = new Set()): Shut {
  const answers = files.flatMap(({ played }) => played).flatMap(answersOf);
  const missing = missingIn(answers).filter(family => family !== 'ppf' || !inTracker.has(admin));
  const keptOut = new Map<string, string | undefined>();
  return played => {
    const family = familyOf(played.step);
    if (family === undefined) return undefined;
    if (missing.includes(family)) return `this server does not serve ${interfaces[family]}`;
    const user = userOf(played);
    const key = `${family} ${user}`;
    if (!keptOut.has(key)) keptOut.set(key, keptOutOf(family, user, admin, { answers, inTracker }));
    return played.outcome === 'failed' ? keptOut.get(key) : undefined; // that it refuses may be just what is asked for
  };
}

/** The users of whom only the tracker can say whether they are let in: push and pull do not. */
export function doubtedBy(files: readonly PlayedFile[], admin: string): readonly string[] {
  const answers = files.flatMap(({ played }) => played).flatMap(answersOf);
  const users = [...new Set(answers.map(({ user }) => user))].filter(user => user !== 'anonymous');
  const statuses = (user: string) => answers.filter(one => one.family === 'ppf' && one.user === user && one.isCall);
  return [
    ...(missingIn(answers).includes('ppf') ? [admin] : []),
    ...users.filter(user => statuses(user).length > 0 && statuses(user).every(({ status }) => status === 401)),
  ];
}

/** The interfaces that are served nowhere. */
function missingIn(answers: readonly Answers[]): readonly Family[] {
  return (['wiki', 'ppf'] as const).filter(family => {
    const own = answers.filter(one => one.family === family);
    return own.length > 0 && own.every(({ status }) => status === 404);
  });
}

/** What a server has answered, and whom its tracker lets in. */
interface Heard {
  readonly answers: readonly Answers[];
  readonly inTracker: ReadonlySet<string>;
}

function keptOutOf(family: Family, user: string, admin: string, { answers, inTracker }: Heard): string | undefined {
  if (user === 'anonymous' || (family === 'ppf' && inTracker.has(user))) return undefined;
  const statuses = answers
    .filter(one => one.family === family && one.user === user && one.isCall)
    .map(one => one.status);
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

/** The caller if the password is right; all others count as anonymous. */
function userOf({ step }: Played): string {
  return typeof step.as === 'string' ? step.as : 'anonymous';
}
