// The store suite over Clusters of three masters, over Valkey, and over the Redis at REDIS_URL.
import { suiteOver } from '../../../store/redis/suite-over.js';
import { RedisCluster } from '../../../support/redis/redis-clusters.js';
import { engines, hasRedis, RedisServer } from '../../../support/redis/redis-servers.js';

for (const engine of engines()) {
  if (engine !== 'redis-server') suiteOver(engine, () => RedisServer.start({ engine }));
  suiteOver(`${engine} as a Cluster of three masters`, () => RedisCluster.start({ engine }));
}
if (hasRedis() && process.env.REDIS_URL !== undefined) {
  const url = process.env.REDIS_URL;
  suiteOver('at REDIS_URL', async () => ({ url, stop: async () => {} }));
}
