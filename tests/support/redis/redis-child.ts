// A process with a store of its own in Redis, for tests that kill it, shift its clock, or see whether it ends. Argument: a ChildTask as JSON.
import { redisStore } from '../../../server/store/redis/redis-store.js';
import { kept, plainFormat } from '../../store/suite.js';
import { until } from '../worlds/until.js';
import { Appender } from './redis-stores.js';

export interface ChildTask {
  readonly url: string;
  /**
   * `append`: says each number once it is appended, for ever, from `first` on. `now`: says what time it is by the store, and by itself. `close`: uses
   * the store, closes it, and ends when nothing is left. `close-unready`: closes it while it is trying to connect.
   */
  readonly does: 'append' | 'now' | 'close' | 'close-unready';
  readonly sandbox: string;
  readonly first?: number;
  /** Milliseconds by which its own clock is wrong. */
  readonly shift?: number;
}

const task = JSON.parse(process.argv[2] ?? '') as ChildTask; // ours
const { url, sandbox, first = 0, shift = 0 } = task;
const right = Date.now;
Date.now = () => right() + shift;
const store = kept(redisStore({ url, format: plainFormat, timeout: 8000 }));

const does: Readonly<Record<ChildTask['does'], () => Promise<void>>> = {
  append: async () => {
    const head = (await store.since(sandbox))?.head;
    if (head === undefined) throw new Error(`there is no ${sandbox}`);
    const appender = new Appender(store, sandbox, head);
    for (let number = first; ; number += 1) {
      await appender.add([[number]]);
      process.stdout.write(`${number}\n`);
    }
  },
  now: async () => {
    await store.ready();
    await store.create(sandbox, 'base', 60_000);
    process.stdout.write(`${JSON.stringify({ store: store.now(), own: Date.now() })}\n`);
    await store.close();
  },
  close: async () => {
    await store.ready();
    const unwatch = store.watch(sandbox, () => {});
    store.watch(`${sandbox}-other`, () => {});
    const head = await store.create(sandbox, 'base|part', 60_000);
    if (head !== undefined) await new Appender(store, sandbox, head).add([[1]]);
    unwatch();
    const late = store.since(sandbox).catch(() => {});
    await store.close();
    await late;
    process.stdout.write('closed\n');
  },
  'close-unready': async () => {
    const waiting = [store.ready(), store.list()].map(promise => promise.catch(() => {}));
    await until(() => store.trouble !== undefined);
    await store.close();
    await Promise.all(waiting);
    process.stdout.write('closed\n');
  },
};

await does[task.does]();
