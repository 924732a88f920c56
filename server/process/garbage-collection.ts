// Keeps the process near its budget of memory: V8 lets garbage grow to half of the heap before it must collect, and counts nothing outside of it.

import { memoryUsage } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { realTime } from '../engine/real-time.js';

const MEBIBYTE = 2 ** 20;
/** What the program itself takes besides what the budget counts, with a small scenario. */
const PROGRAM = 80 * MEBIBYTE;
/** Garbage that may come together between two collections, which take longer the more is in use. */
const GARBAGE = 64 * MEBIBYTE;
const LOOK_EVERY_MS = 50;

/**
 * Disables V8's allocation-site pretenuring. With it, V8 allocates some short-lived objects of requests in the old generation, where they keep younger garbage
 * alive until the next full collection.
 */
export function disablePretenuring(): void {
  if (bun === undefined) setFlagsFromString('--no-allocation-site-pretenuring');
}

/** From now on collects as soon as the process has grown beyond its budget. `limit`: the budget, in bytes. */
export function collectEarly(limit: number): void {
  let collect: (() => void) | undefined;
  const least = limit + Math.max(PROGRAM, memoryUsage.rss());
  let next = least;
  const look = () => {
    if (memoryUsage.rss() >= next) {
      collect ??= collector();
      collect();
      next = Number.POSITIVE_INFINITY;
    }
    next = Math.min(next, Math.max(least, memoryUsage.rss() + GARBAGE));
  };
  realTime.setInterval(look, LOOK_EVERY_MS).unref();
}

/** Bun's engine is not V8, and has a function of its own. */
const { Bun: bun } = globalThis as { readonly Bun?: { gc(isForced: boolean): void } };

function collector(): () => void {
  if (bun !== undefined) return () => bun.gc(true);
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void; // what the flag adds
}
