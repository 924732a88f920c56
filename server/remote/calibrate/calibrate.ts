// Finds the readings of a server from its documented answers. Each probe is played once, when the readings it needs are known or cannot be found;
// probes that share nothing run in parallel. Never guesses.
import { emptyWorld } from '../../domain/world.js';
import { type GapId, gapIds, readingNames, type SomeReadings } from '../../operations/gaps/gaps.js';
import type { Step } from '../../scenario/format/step-format.js';
import { answerDifferences } from '../../scenario/play/judging.js';
import type { Target, WorldView } from '../../scenario/play/target.js';
import { allTouched, type Touched } from '../changes/touched.js';
import type { Mapped } from '../names/mapped-steps.js';
import { sideBySide, USUAL_JOBS } from '../target/side-by-side.js';
import { type Finding, unseen } from './finding.js';
import { inquire, type Surroundings } from './inquiry.js';
import { depthsOf, isReady } from './probes.js';
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
  readonly onFinding?: (finding: Finding) => void;
  /** Called for each requested step; without an answer, its effect is unknown. */
  readonly asked?: Surroundings['asked'];
  /** Stops after the requests in progress; the remaining gaps are undetermined. */
  readonly signal?: AbortSignal;
  /** View of the server's world by probe. Default: none. */
  readonly views?: (probe: Mapped) => WorldView | undefined;
  /** Number of parallel probes. */
  readonly jobs?: number;
}

/** Probes a server. Rejects with `Unreachable` if it does not answer, or stops answering. */
export async function calibrate(
  server: Target,
  probes: readonly Mapped[],
  {
    admin = 'admin',
    passwords = new Map(),
    run,
    onFinding = () => {},
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
  const unknown = probes.filter(({ loaded }) => loaded.gap !== undefined && assumed[loaded.gap] === undefined);
  const depths = depthsOf(unknown.map(({ loaded }) => loaded));
  const depth = ({ loaded }: Mapped) => depths.get(loaded) ?? 0;
  const due = unknown.sort((a, b) => depth(b) - depth(a)); // for which most is waiting: the others fit beside them
  const open = new Set(due.map(({ loaded }) => loaded.gap));
  const play = async (probe: Mapped) => {
    const { gap } = probe.loaded;
    if (gap === undefined) return;
    const ask = () => inquire(probe, gap, target, { ...around, known, view: views(probe) });
    const first = await ask();
    const second = 'isImpossible' in first && !signal?.aborted ? await ask() : first;
    const finding = 'reading' in second ? second : first; // a server that fails at random answers otherwise the second time
    if ('reading' in finding) known = { ...known, [gap]: finding.reading };
    found.set(gap, finding);
    open.delete(gap);
    onFinding(finding);
  };
  const made = new Set<string>();
  await sideBySide(
    due.map(probe => {
      const touched = views(probe) === undefined ? probe.touched : probe.touchedAndShown;
      return {
        get touched() {
          return allTouched(shared(probe, touched, made));
        },
        isReady: () => isReady(probe, open),
        run: async () => {
          await play(probe);
          for (const name of madeBy(probe)) made.add(name);
        },
      };
    }),
    jobs,
  );
  const findings = gapIds.map(gap => found.get(gap) ?? unseen(gap, readingNames(gap)));
  return { findings, readings: known };
}

/** What a probe touches, if a space that several work in is there already. */
function shared({ loaded }: Mapped, touched: readonly Touched[], made: ReadonlySet<string>): readonly Touched[] {
  return touched.map((one, i) => {
    const step = loaded.steps[i];
    const isMade = step !== undefined && isUnlessThere(step) && [...one.writes].every(name => made.has(name));
    return isMade ? { reads: new Set([...one.reads, ...one.writes]), writes: new Set() } : one;
  });
}

/** The names of the spaces that it makes unless they are there. */
function madeBy({ loaded, touched }: Mapped): string[] {
  return loaded.steps.flatMap((step, i) => (isUnlessThere(step) ? [...(touched[i]?.writes ?? [])] : []));
}

/** A copy that may be refused because the space is there. */
function isUnlessThere({ call, expect }: Step): boolean {
  const refused = { status: 409, headers: {}, text: '' };
  return call === 'spaces.copy' && expect !== undefined && answerDifferences(expect, refused).length === 0;
}

/** The server without its control API. */
function asAnyone({ url, context, send, close }: Target): Target {
  return { url, context, send, close };
}
