// The store suite over a real Redis. Clusters and Valkey are in tests/proof.
import { hasRedis, RedisServer } from '../../support/redis/redis-servers.js';
import { suiteOver } from './suite-over.js';

if (hasRedis()) suiteOver('redis-server', () => RedisServer.start());
