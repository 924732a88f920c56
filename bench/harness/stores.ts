// Where the sandboxes of measured servers can be kept: in the process, in a folder, in a Redis or a Cluster that the bench starts for it.
// Knows no measurement.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RedisCluster } from '../../tests/support/redis/redis-clusters.js';
import { RedisServer } from '../../tests/support/redis/redis-servers.js';
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
  end(): Promise<void>;
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
      const server = await RedisServer.start(kind === 'aof' ? { persistence: 'aof-everysec' } : {});
      return placeOf(server.url, [], [server], () => server.stop());
    }
    case 'cluster': {
      const cluster = await RedisCluster.start();
      const servers = cluster.masters.map(({ server }) => server);
      return placeOf(cluster.url, [], servers, () => cluster.stop());
    }
  }
}

function placeOf(
  store: string,
  further: readonly string[],
  engines: readonly RedisServer[],
  end: () => Promise<void>,
): StorePlace {
  return { store, flags: ['--store', store, ...further], engines, end };
}

/** What engines have done so far. */
export interface EngineUse {
  /** Microseconds of processor time, user and system. */
  readonly cpu: number;
  /** Scripts that were run. */
  readonly scripts: number;
}

export async function engineUse(engines: readonly RedisServer[]): Promise<EngineUse> {
  const lines = await Promise.all(
    engines.map(async engine => `${await engine.cli('info', 'cpu')}\n${await engine.cli('info', 'commandstats')}`),
  );
  const sum = (pattern: RegExp) =>
    lines.reduce((all, text) => all + [...text.matchAll(pattern)].reduce((own, [, n]) => own + Number(n), 0), 0);
  return {
    cpu: sum(/^used_cpu_(?:user|sys):([\d.]+)/gm) * 1e6,
    scripts: sum(/^cmdstat_eval(?:sha)?:calls=(\d+)/gm),
  };
}
