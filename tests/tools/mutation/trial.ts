// Tries every mutant against the suite: first what each piece of it runs, then each mutant against the pieces that can notice it.
import { type Bundles, Examiner } from './examiner.js';
import type { Mutant } from './instrument.js';
import type { Reply } from './worker.js';

type Caught = NonNullable<Reply['failure']>;

export interface Outcome {
  readonly mutant: Mutant;
  /** `elsewhere`: not the suite noticed it, but what was asked besides. `uncovered`: nothing of the suite runs its place. */
  readonly status: 'killed' | 'timeout' | 'elsewhere' | 'survived' | 'uncovered';
  /** The piece of the suite that noticed it, and how. */
  readonly by?: Caught;
}

export interface TrialSettings {
  readonly workers: number;
  /** Whether a piece is not of the suite, and only asked about mutants that got past it. */
  readonly isBesides?: (name: string) => boolean;
  /** Milliseconds that a mutant gets for each piece beyond five times what the longest takes otherwise. */
  readonly grace?: number;
  /** Told after each mutant how many have been tried. */
  readonly progress?: (done: number) => void;
}

const GRACE = 3000;
const FIRST_LIMIT = 60_000;

interface Piece {
  readonly name: string;
  readonly took: number;
  readonly loaded: ReadonlySet<string>;
  readonly played: ReadonlySet<string>;
  /** How many mutants of each file it runs. */
  readonly near: ReadonlyMap<string, number>;
}

export async function tryMutants(
  mutants: readonly Mutant[],
  bundles: Bundles,
  { workers, grace = GRACE, isBesides = () => false, progress }: TrialSettings,
): Promise<Outcome[]> {
  const examiners = Array.from({ length: workers }, () => new Examiner(bundles));
  try {
    const [first] = examiners;
    if (first === undefined) throw new RangeError('it takes at least one worker');
    const files = new Map(mutants.map(({ id, file }) => [id, file]));
    const cover = (examiner: Examiner, name: string) => coverageOf(examiner, name, files);
    const pieces = await inParallel(examiners, await first.names(), cover);
    const suite = pieces.filter(({ name }) => !isBesides(name));
    const besides = pieces.filter(({ name }) => isBesides(name));
    let done = 0;
    return await inParallel(examiners, mutants, async (examiner, mutant) => {
      const outcome = await tryOne(examiner, mutant, suite, grace);
      const after = isCaught(outcome) ? outcome : await tryOne(examiner, mutant, besides, grace);
      done += 1;
      progress?.(done);
      return after === outcome || !isCaught(after) ? outcome : { ...after, status: 'elsewhere' };
    });
  } finally {
    for (const examiner of examiners) examiner.end();
  }
}

export function isCaught({ status }: Pick<Outcome, 'status'>): boolean {
  return status === 'killed' || status === 'timeout';
}

/** What a piece runs. Each has a subject of its own, so that nothing that one has kept is skipped by the next. */
async function coverageOf(examiner: Examiner, name: string, files: ReadonlyMap<string, string>): Promise<Piece> {
  const reply = await examiner.ask({ covered: name }, FIRST_LIMIT);
  if (typeof reply === 'string') throw new Error(`${name} does not come to an end without any mutant`);
  if (reply.failure !== undefined)
    throw new Error(`${name} fails without any mutant, so that it proves nothing: ${reply.failure.says}`);
  const near = new Map<string, number>();
  for (const id of reply.played ?? []) {
    const file = files.get(id) ?? '';
    near.set(file, (near.get(file) ?? 0) + 1);
  }
  return { name, took: reply.took, loaded: new Set(reply.loaded), played: new Set(reply.played), near };
}

async function tryOne(examiner: Examiner, mutant: Mutant, pieces: readonly Piece[], grace: number): Promise<Outcome> {
  const concerned = piecesFor(mutant, pieces);
  if (concerned.length === 0) return { mutant, status: 'uncovered' };
  const longest = Math.max(...concerned.map(({ took }) => took));
  const names = concerned.map(({ name }) => name);
  const reply = await examiner.ask({ mutant: mutant.id, names }, 5 * longest + grace);
  if (reply === 'timeout') return { mutant, status: 'timeout' };
  if (reply === 'ended') return { mutant, status: 'killed', by: { name: names[0] ?? '', says: 'ends the process' } };
  return reply.failure === undefined ? { mutant, status: 'survived' } : { mutant, status: 'killed', by: reply.failure };
}

/**
 * The pieces that can notice a mutant, the likeliest and quickest first: those that run its place, then those that run much of its file.
 * What runs when the subject is loaded concerns them all.
 */
function piecesFor({ id, file }: Mutant, pieces: readonly Piece[]): Piece[] {
  const worth = ({ played, near, took }: Piece) => (played.has(id) ? 1e9 : (near.get(file) ?? 0)) / took;
  return pieces.filter(({ loaded, played }) => loaded.has(id) || played.has(id)).sort((a, b) => worth(b) - worth(a));
}

/** Does something for each item, as many at a time as there are examiners; in the order of the items. */
async function inParallel<T, R>(
  examiners: readonly Examiner[],
  items: readonly T[],
  act: (examiner: Examiner, item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  await Promise.all(
    examiners.map(async examiner => {
      for (const [i, item] of queue) results[i] = await act(examiner, item);
    }),
  );
  return results;
}
