// Which reading of each gap a server follows, as far as its documented answers show. Each probe is played once, when all that it needs
// to know is known, or will not be; those that touch nothing in common side by side. Never guesses.
import { emptyWorld } from '../../domain/world.js';
import { type GapId, gapIds, readingNames, type SomeReadings } from '../../operations/gaps/gaps.js';
import type { Target, WorldView } from '../../scenario/play/target.js';
import { allTouched } from '../changes/touched.js';
import type { Mapped } from '../names/mapped-steps.js';
import { sideBySide, USUAL_JOBS } from '../target/side-by-side.js';
import { type Finding, unseen } from './finding.js';
import { inquire, type Surroundings } from './inquiry.js';
import { isReady } from './probes.js';
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
  /** What is taken for known without being asked. */
  readonly assumed?: SomeReadings;
  /** Is told of each finding when it is there. */
  readonly told?: (finding: Finding) => void;
  /** Is told of each step that was asked; without an answer, it is not known what came of it. */
  readonly asked?: Surroundings['asked'];
  /** Ends it after the requests that are under way; what is not known by then is undetermined. */
  readonly signal?: AbortSignal;
  /** What of the server is seen beside the answers, by probe. Left out: nothing. */
  readonly views?: (probe: Mapped) => WorldView | undefined;
  /** So many probes at a time. */
  readonly jobs?: number;
}

/** Asks a server. Rejects with `Unreachable` where nobody answers, or nobody any more. */
export async function calibrate(
  server: Target,
  probes: readonly Mapped[],
  {
    admin = 'admin',
    passwords = new Map(),
    run,
    told = () => {},
    asked = () => {},
    signal,
    assumed = {},
    jobs = USUAL_JOBS,
    views = () => undefined,
  }: CalibrateOptions,
): Promise<Calibration> {
  const target = asAnyone(server);
  const asker = { admin, passwords, run, world: probes[0]?.loaded.origin.world ?? emptyWorld };
  const absent = await absentFamilies(target, asker);
  const stillThere = () => checkReachable(target, asker);
  const around = { passwords, run, absent, asked, signal, checkReachable: stillThere };
  const found = new Map<GapId, Finding>();
  let known: SomeReadings = { ...assumed };
  const due = probes.filter(({ loaded }) => loaded.gap !== undefined && assumed[loaded.gap] === undefined);
  const open = new Set(due.map(({ loaded }) => loaded.gap));
  const play = async (probe: Mapped) => {
    const { gap } = probe.loaded;
    if (gap === undefined) return;
    const finding = await inquire(probe, gap, target, { ...around, known, view: views(probe) });
    if ('reading' in finding) known = { ...known, [gap]: finding.reading };
    found.set(gap, finding);
    open.delete(gap);
    told(finding);
  };
  await sideBySide(
    due.map(probe => ({
      touched: allTouched(probe.touched),
      isReady: () => isReady(probe, open),
      run: () => play(probe),
    })),
    jobs,
  );
  const findings = gapIds.map(gap => found.get(gap) ?? unseen(gap, readingNames(gap)));
  return { findings, readings: known };
}

/** A server of which nothing is seen but its answers, even where it would show more. */
function asAnyone({ url, context, send, close }: Target): Target {
  return { url, context, send, close };
}
