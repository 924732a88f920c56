// Who has seen each rule and each reading at work: plays every scenario of some folders in this process and takes down what really decided.
// Knows no port and no settings: what it plays on is its own, and gone when it is done.
import type { Witnesses } from './derive/ledger.js';
import { Session } from './engine/session.js';
import { createApp } from './http/app.js';
import { silentLog } from './http/log.js';
import { Tally } from './http/tally.js';
import { readingNames, type SomeReadings } from './operations/gaps.js';
import { packageVersion } from './package.js';
import { type Folders, namesBeside } from './scenario/folders.js';
import { loadNamed } from './scenario/load.js';
import { provedBy } from './scenario/play/judging.js';
import { type Played, Player } from './scenario/play/player.js';
import { Players } from './scenario/play/players.js';
import type { Target } from './scenario/play/target.js';
import { isProblems, showProblem } from './scenario/problem.js';
import type { Loaded } from './scenario/story.js';
import { memoryStore } from './store/memory.js';
import { inProcess } from './targets/in-process.js';

const SANDBOX = 'witnesses';
const PROVING = 'rules/';
const PROBING = 'gaps/';

/**
 * The scenarios in which a step held whose answer a rule, or a reading as `gap=reading`, really decided. A rule needs the step to claim it by
 * `proves` besides. A fault that was put in the place of an answer makes no witness. First comes the file about the rule or gap itself, then
 * those of the rules, of the gaps, and all others, by name. Throws where a scenario has problems.
 */
export async function witnesses(folders: Folders): Promise<Witnesses> {
  const seen = new Map<string, Set<string>>();
  const named = [PROVING, PROBING, ''].flatMap(place => namesBeside(place && `${place}x`, folders.scenarios));
  const stories = named.map(name => [name, loaded(name, folders)] as const);
  const [first] = stories;
  if (first === undefined) return {};
  const target = stage(folders, first[1]);
  for (const [name, story] of stories) {
    for (const readings of waysToPlay(story)) {
      for await (const played of new Player(story, target, { readings }).all()) {
        for (const key of witnessed(played)) seen.set(key, (seen.get(key) ?? new Set()).add(name));
      }
    }
    await target.backstage?.end();
  }
  return Object.fromEntries([...seen].map(([key, names]) => [key, ownFirst(key, [...names])]));
}

/** A probe is played under each reading of its gap. */
function waysToPlay({ gap }: Loaded): SomeReadings[] {
  return gap === undefined ? [{}] : readingNames(gap).map(reading => ({ [gap]: reading }));
}

/** What a step that held is a witness of: rules by id, and readings as `gap=reading`. */
export function witnessed({ outcome, step, insight }: Played): string[] {
  if (outcome !== 'held' || insight === undefined || insight.fault !== undefined) return [];
  return [...provedBy(step, insight), ...Object.entries(insight.gaps).map(([gap, reading]) => `${gap}=${reading}`)];
}

function ownFirst(key: string, names: readonly string[]): string[] {
  const own = [`${PROVING}${key}`, `${PROBING}${key.split('=', 1)[0]}`];
  return [...names.filter(name => own.includes(name)), ...names.filter(name => !own.includes(name))];
}

function loaded(name: string, folders: Folders): Loaded {
  const story = loadNamed(name, folders);
  if (isProblems(story)) throw new Error(story.problems.map(showProblem).join('\n'));
  return story;
}

/** A fake that nobody but the player asks. */
function stage(folders: Folders, { origin }: Loaded): Target {
  const session = new Session({
    store: memoryStore(),
    origin,
    journal: { entries: 1, bytes: 1024 * 1024 },
    maxSandboxes: 1,
    sandboxTtl: Number.MAX_SAFE_INTEGER,
    createOnUse: false,
    machineTime: () => new Date(),
  });
  const app: ReturnType<typeof createApp> = createApp({
    session,
    folders,
    version: packageVersion(),
    log: silentLog,
    tally: new Tally(),
    allowedHosts: [],
    maxBody: 1024 * 1024,
    answering: { explain: false, ending: new AbortController().signal },
    control: 'off',
    players: new Players(session, sandbox => inProcess({ app, session }, sandbox)),
    witnesses: async () => ({}),
    health: () => ({ status: 'ok', version: '', scenario: '', uptime: 0, store: 'memory' }),
  });
  return inProcess({ app, session }, SANDBOX);
}
