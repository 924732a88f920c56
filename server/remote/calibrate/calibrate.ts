// Which reading of each gap a server follows, as far as its documented answers show. Each probe is played once, when all that it needs
// to know is known, or will not be. Never guesses.
import { emptyWorld } from '../../domain/world.js';
import { type GapId, gapIds, readingNames, type SomeReadings } from '../../operations/gaps.js';
import type { Target } from '../../scenario/play/target.js';
import type { Mapped } from '../mapped-steps.js';
import { type Finding, unseen } from './finding.js';
import { inquire, type Surroundings } from './inquiry.js';
import { nextProbe } from './probes.js';
import { absentFamilies, checkReachable } from './served-apis.js';

export interface Calibration {
  /** One for each gap, in the order of the ledger. */
  readonly findings: readonly Finding[];
  /** What is known of the server. */
  readonly readings: SomeReadings;
}

export interface CalibrateOptions {
  /** Who asks for what only an admin may; left out, `admin`. */
  readonly admin?: string;
  /** By user name; left out, those of the probes' worlds. */
  readonly passwords?: ReadonlyMap<string, string>;
  /** Letters and digits that no run before had: what is made on the server is named by it. */
  readonly run: string;
  /** Is told of each finding when it is there. */
  readonly told?: (finding: Finding) => void;
  /** Is told of each step that was asked; without an answer, it is not known what came of it. */
  readonly asked?: Surroundings['asked'];
  /** Ends it after the request that is under way; what is not known by then is undetermined. */
  readonly signal?: AbortSignal;
}

/** Asks a server. Rejects with `Unreachable` where nobody answers, or nobody any more. */
export async function calibrate(
  server: Target,
  probes: readonly Mapped[],
  { admin = 'admin', passwords = new Map(), run, told = () => {}, asked = () => {}, signal }: CalibrateOptions,
): Promise<Calibration> {
  const target = asAnyone(server);
  const asker = { admin, passwords, run, world: probes[0]?.loaded.origin.world ?? emptyWorld };
  const absent = await absentFamilies(target, asker);
  const stillThere = () => checkReachable(target, asker);
  const around = { passwords, run, absent, asked, signal, checkReachable: stillThere };
  const found = new Map<GapId, Finding>();
  let known: SomeReadings = {};
  let waiting = probes;
  for (let probe = nextProbe(waiting); probe !== undefined; probe = nextProbe(waiting)) {
    const played = probe;
    const { gap } = played.loaded;
    waiting = waiting.filter(other => other !== played);
    if (gap === undefined) continue;
    const finding = await inquire(played, gap, target, { ...around, known });
    if ('reading' in finding) known = { ...known, [gap]: finding.reading };
    found.set(gap, finding);
    told(finding);
  }
  const findings = gapIds.map(gap => found.get(gap) ?? unseen(gap, readingNames(gap)));
  return { findings, readings: known };
}

/** A server of which nothing is seen but its answers, even where it would show more. */
function asAnyone({ url, context, send, close }: Target): Target {
  return { url, context, send, close };
}
