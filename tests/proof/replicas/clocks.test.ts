// Replicas on machines with wrong clocks use the clock of Redis.
import { expect } from 'chai';
import type { JournalEntry } from '../../../server/engine/journal/journal-entry.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { built } from '../../support/processes/built.js';
import { endAll, launch } from '../../support/processes/command-line.js';
import { hasRedis, RedisServer } from '../../support/redis/redis-servers.js';
import { Replica } from '../../support/redis/replicas.js';

const HOUR = 3_600_000;

/** Loaded before everything else: shifts the clock of the process by this many milliseconds. */
const wrongBy = (shift: number) => `
const Right = Date;
globalThis.Date = class extends Right {
  constructor(...given) { super(...(given.length === 0 ? [Right.now() + ${shift}] : given)); }
  static now() { return Right.now() + ${shift}; }
};
`;

(hasRedis() ? describe : describe.skip)('replicas whose machines have wrong clocks', () => {
  let files: Scratch;
  let engine: RedisServer;
  let replicas: readonly Replica[];
  before(async () => {
    await built();
    files = scratch({ 'late.mjs': wrongBy(-HOUR), 'early.mjs': wrongBy(HOUR) });
    engine = await RedisServer.start();
    const surroundings = ['', `--import=${files.path}/late.mjs`, `--import=${files.path}/early.mjs`];
    const starting = surroundings.map(options =>
      launch(['--store', engine.url, '--log', 'silent'], { env: { NODE_OPTIONS: options } }),
    );
    replicas = (await Promise.all(starting)).map(running => new Replica(running));
  });
  after(async () => {
    endAll();
    await engine.stop();
    files.drop();
  });

  it('record the same times, and show the same running clock', async () => {
    const began = Date.now();
    const since = (time: string) => Date.parse(time) - Date.parse('2030-01-01T00:00:00Z');
    const [first] = replicas;
    await first?.control('PUT', '/sandboxes/shared', {});
    await first?.control('PUT', '/sandboxes/shared/clock', { set: '2030-01-01T00:00:00Z', running: true });
    for (const replica of [...replicas, ...replicas]) {
      await replica.add('shared', 'alice');
      const { now } = await replica.read<{ now: string }>('/sandboxes/shared/clock');
      expect(since(now)).to.be.within(-100, Date.now() - began + 1000);
    }
    const { entries } = (await first?.read<{ entries: JournalEntry[] }>('/sandboxes/shared/journal')) ?? {};
    expect(entries).to.have.length(6);
    for (const { at } of entries ?? []) expect(since(at)).to.be.within(-100, Date.now() - began + 1000);
  });
});
