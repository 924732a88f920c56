// Finds the readings of a server from its documented answers. Each probe is played once, when the readings it needs are known or cannot be found;
// probes that share nothing run in parallel. Never guesses.
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
  /** The findings about the server. */
  readonly readings: SomeReadings;
}

export interface CalibrateOptions {
  /** The admin's name. Default: `admin`. */
  readonly admin?: string;
  /** By user name. Default: those of the probes' worlds. */
  readonly passwords?: ReadonlyMap<string, string>;
  /** Unique letters and digits, part of every name created on the server. */
  readonly run: string;
  /** Readings that are known without probing. */
  readonly assumed?: SomeReadings;
  /** Called with each finding. */
  readonly told?: (finding: Finding) => void;
  /** Called for each requested step; without an answer, its effect is unknown. */
  readonly asked?: Surroundings['asked'];
  /** Stops after the requests in progress; the remaining gaps are undetermined. */
  readonly signal?: AbortSignal;
  /** View of the server's world by probe. Default: none. */
  readonly views?: (probe: Mapped) => WorldView | undefined;
  /** Number of parallel probes. */
  readonly jobs?: number;
}

/** Probes a server. Rejects with `Unreachable` if nobody answers, or no longer. */
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

/** The server without its control API. */
function asAnyone({ url, context, send, close }: Target): Target {
  return { url, context, send, close };
}
