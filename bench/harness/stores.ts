// Where the sandboxes of measured servers can be kept: in the process, in a folder, in a Redis or a Cluster that the bench starts for it.
// Knows no measurement.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RedisServer, startCluster } from '../../tests/support/redis/redis-servers.js';
import { scratch } from './places.js';

export type StoreKind = 'memory' | 'file' | 'fsync' | 'redis' | 'aof' | 'cluster';

export const storeNames: Readonly<Record<StoreKind, string>> = {
  memory: 'memory',
  file: 'file',
  fsync: 'file, `--fsync`',
  redis: 'Redis',
  aof: 'Redis, AOF every second',
  cluster: 'Cluster of 3 masters',
};

export interface StorePlace {
  /** As `--store` takes it. */
  readonly store: string;
  /** The flags of `serve`. */
  readonly flags: readonly string[];
  /** The servers of Redis that it stands on. */
  readonly engines: readonly RedisServer[];
  end(): Promise<unknown>;
}

export async function openPlace(kind: StoreKind): Promise<StorePlace> {
  switch (kind) {
    case 'memory':
      return placeOf('memory', [], [], async () => {});
    case 'file':
    case 'fsync': {
      const folder = mkdtempSync(join(scratch, 'store-'));
      const further = kind === 'fsync' ? ['--fsync'] : [];
      return placeOf(`file:${folder}`, further, [], async () => rmSync(folder, { recursive: true }));
    }
    case 'redis':
    case 'aof': {
      const server = await RedisServer.start(kind === 'aof' ? { lines: ['appendonly yes'] } : {});
      return placeOf(server.url, [], [server], () => server.stop());
    }
    case 'cluster': {
      const cluster = await startCluster();
      return placeOf(cluster.url, [], cluster.nodes, () => cluster.stop());
    }
  }
}

function placeOf(
  store: string,
  further: readonly string[],
  engines: readonly RedisServer[],
  end: () => Promise<unknown>,
): StorePlace {
  return { store, flags: ['--store', store, ...further], engines, end };
}

/** Microseconds of processor time that engines have used so far. */
export async function engineCpu(engines: readonly RedisServer[]): Promise<number> {
  const texts = await Promise.all(engines.map(engine => engine.cli('info', 'cpu')));
  const used = texts.flatMap(text => [...text.matchAll(/^used_cpu_(?:user|sys):([\d.]+)/gm)]);
  return used.reduce((sum, [, seconds]) => sum + Number(seconds) * 1e6, 0);
}
