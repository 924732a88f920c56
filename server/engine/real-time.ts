// The timers and clocks of the platform, however tests replace the global ones (Vitest, Jest, Sinon), before or after this is loaded.
import { runInThisContext } from 'node:vm';

/** Fakes of @sinonjs/fake-timers, which all these tools use, keep the original in their clock. */
interface Faked {
  readonly clock?: Readonly<Record<string, unknown>> & { readonly methods?: readonly unknown[] };
}

function originalOf<T>(current: T, name: string): T {
  return ((current as Faked).clock?.[`_${name}`] as T | undefined) ?? current;
}

const RealDate = originalOf(Date, 'Date');
const clock = originalOf(performance, 'performance');
const uptime = originalOf(clock.now, 'now').bind(clock);

export const realTime = {
  setTimeout: originalOf(setTimeout, 'setTimeout'),
  clearTimeout: originalOf(clearTimeout, 'clearTimeout'),
  setInterval: originalOf(setInterval, 'setInterval'),
  clearInterval: originalOf(clearInterval, 'clearInterval'),
  setImmediate: originalOf(setImmediate, 'setImmediate'),
  queueMicrotask: originalOf(queueMicrotask, 'queueMicrotask'),
  /** Milliseconds since 1970. */
  now: (): number => RealDate.now(),
  /** Milliseconds for durations. */
  uptime: (): number => uptime(),
} as const;

/** What streams of the platform look up while they run, in Node's own context: a test may run in another one. */
const platform = runInThisContext('globalThis') as object;
const lookedUp = [
  { holder: process as object, name: 'nextTick', original: originalOf(process.nextTick, 'nextTick') as unknown },
  { holder: platform, name: 'setImmediate', original: realTime.setImmediate as unknown },
  { holder: platform, name: 'queueMicrotask', original: realTime.queueMicrotask as unknown },
];
let running = 0;
let replaced: Array<() => void> = [];

/** Runs work that needs the streams of the platform; fakes are back afterwards, unless a test has ended them meanwhile. */
export async function inRealTime<T>(work: () => Promise<T>): Promise<T> {
  running += 1;
  if (running === 1) replaced = lookedUp.flatMap(replacing);
  try {
    return await work();
  } finally {
    running -= 1;
    if (running === 0) for (const restore of replaced) restore();
  }
}

function replacing({ holder, name, original }: (typeof lookedUp)[number]): Array<() => void> {
  const fake = Reflect.get(holder, name) as Faked;
  if (fake === original) return [];
  Reflect.set(holder, name, original);
  const isEnded = () => fake.clock?.methods?.length === 0;
  return [() => Reflect.get(holder, name) === original && !isEnded() && Reflect.set(holder, name, fake)];
}
