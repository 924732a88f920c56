// Runs tasks on one server in parallel if they share nothing, and limits parallel requests.
import type { Target } from '../../scenario/play/target.js';
import { areApart, type Touched } from '../changes/touched.js';

/** Default number of parallel requests. */
export const USUAL_JOBS = 12;

export interface Task {
  readonly touched: Touched;
  /** Whether it can begin now. Default: always. */
  isReady?(): boolean;
  run(release: Release): Promise<void>;
}

/** To be called with what a task reads no longer: others may change that then. */
export type Release = (names: ReadonlySet<string>) => void;

interface Running {
  /** What it still reads and may change. */
  held: Touched;
  readonly end: Promise<void>;
}

/**
 * Runs each task once, the first that is ready and shares nothing with those that run; where none is ready and none runs, the first one begins all
 * the same. Where one fails no other begins: rejects with its failure once those that run have ended.
 */
export async function sideBySide(tasks: readonly Task[], jobs: number): Promise<void> {
  const waiting = [...tasks];
  const running = new Map<Task, Running>();
  const isReady = (task: Task) => task.isReady?.() !== false;
  const isApart = (task: Task) => [...running.values()].every(({ held }) => areApart(task.touched, held));
  const next = () => {
    const found = waiting.find(task => isReady(task) && isApart(task));
    return found ?? (running.size === 0 ? (waiting.find(isReady) ?? waiting[0]) : undefined);
  };
  const failures: unknown[] = [];
  let wake = () => {};
  const release = (task: Task, names: ReadonlySet<string>) => {
    const one = running.get(task);
    if (one !== undefined)
      one.held = { ...one.held, reads: new Set([...one.held.reads].filter(name => !names.has(name))) };
    wake();
  };
  while (running.size > 0 || (waiting.length > 0 && failures.length === 0)) {
    const task = running.size < jobs && failures.length === 0 ? next() : undefined;
    if (task === undefined) {
      const woken = new Promise<void>(resolve => {
        wake = resolve;
      });
      await Promise.race([woken, ...[...running.values()].map(({ end }) => end)]);
    } else {
      waiting.splice(waiting.indexOf(task), 1);
      const end = Promise.resolve()
        .then(() => task.run(names => release(task, names)))
        .catch(error => failures.push(error))
        .then(() => void running.delete(task));
      running.set(task, { held: task.touched, end });
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** The target with a limit of parallel requests. */
export function withJobs<T extends Target>(target: T, jobs: number): T {
  return lanesOf(target, jobs)(0);
}

interface Waiting {
  readonly lane: { readonly weight: number; underWay: number };
  begin(): void;
}

/**
 * Makes targets that share a limit of parallel requests. Of the requests that wait, the one of the heaviest target is sent first; of equally heavy ones,
 * that with the fewest under way: who asks one thing after the other does not wait for who asks much at once.
 */
export function lanesOf<T extends Target>(target: T, jobs: number): (weight: number) => T {
  const waiting: Waiting[] = [];
  let free = jobs;
  const isBefore = ({ lane }: Waiting, { lane: other }: Waiting) =>
    lane.weight > other.weight || (lane.weight === other.weight && lane.underWay < other.underWay);
  const next = () => {
    const first = waiting.reduce<Waiting | undefined>(
      (best, one) => (best && !isBefore(one, best) ? best : one),
      undefined,
    );
    return first && waiting.splice(waiting.indexOf(first), 1)[0];
  };
  return weight => {
    const lane = { weight, underWay: 0 };
    const send: T['send'] = async request => {
      if (free === 0) await new Promise<void>(resolve => waiting.push({ lane, begin: resolve }));
      else free -= 1;
      lane.underWay += 1;
      try {
        return await target.send(request);
      } finally {
        lane.underWay -= 1;
        const first = next();
        if (first === undefined) free += 1;
        else first.begin();
      }
    };
    return { ...target, send };
  };
}
