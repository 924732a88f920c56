// Replicas on machines with wrong clocks share the clock of the store, for the time in a sandbox and for its expiry.
import { setTimeout } from 'node:timers/promises';
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

if (hasRedis())
  describe('replicas whose machines have wrong clocks', function () {
    this.timeout(60_000);
    let files: Scratch;
    let engine: RedisServer;
    let replicas: readonly Replica[];
    before(async () => {
      await built();
      files = scratch({ 'late.mjs': wrongBy(-HOUR), 'early.mjs': wrongBy(HOUR) });
      engine = await RedisServer.start();
      const surroundings = ['', `--import=${files.path}/late.mjs`, `--import=${files.path}/early.mjs`];
      const starting = surroundings.map(options =>
        launch(['--store', engine.url, '--sandbox-ttl', '2', '--log', 'silent'], { env: { NODE_OPTIONS: options } }),
      );
      replicas = (await Promise.all(starting)).map(running => new Replica(running));
    });
    after(async () => {
      endAll();
      await engine.stop();
      files.drop();
    });

    it('show the same time of a running clock, whichever of them started it', async () => {
      for (const [i, starter] of replicas.entries()) {
        const name = `running-${i}`;
        await starter.control('PUT', `/sandboxes/${name}`, {});
        await starter.control('PUT', `/sandboxes/${name}/clock`, { set: '2030-01-01T00:00:00Z', running: true });
        const times: number[] = [];
        for (const replica of [...replicas, ...replicas]) {
          const { now } = await replica.read<{ now: string }>(`/sandboxes/${name}/clock`);
          times.push(Date.parse(now));
        }
        expect(times).to.deep.equal([...times].sort((a, b) => a - b));
        expect((times[0] ?? 0) - Date.parse('2030-01-01T00:00:00Z')).to.be.within(0, 10_000);
      }
    });

    it('record the same times, in order', async () => {
      const before = Date.now();
      for (const replica of [...replicas, ...replicas]) await replica.add('written', 'alice');
      const { entries } = await (replicas[1] ?? expect.fail()).read<{ entries: JournalEntry[] }>(
        '/sandboxes/written/journal',
      );
      const times = entries.map(({ at }) => Date.parse(at));
      expect(times).to.deep.equal([...times].sort((a, b) => a - b));
      expect(times[0]).to.be.within(before - 5_000, before + 30_000);
    });

    it('drop a sandbox when it has been idle for its time, and not before', async () => {
      for (const [i, replica] of replicas.entries()) {
        const name = `idle-${i}`;
        await replica.add(name, 'alice');
        for (const other of replicas) expect(await other.customers(name)).to.deep.equal(['alice']);
        const { idle } = await replica.read<{ idle: number }>(`/sandboxes/${name}`);
        expect(idle).to.be.within(0, 2);
      }
      await setTimeout(2_600);
      for (const i of replicas.keys())
        for (const replica of replicas)
          expect((await replica.control('GET', `/sandboxes/idle-${i}`)).status).to.equal(404);
    });
  });
