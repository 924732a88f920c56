// Some rules and the story on one store of each kind. tests/proof plays every rule, also on a Cluster.
import { hasRedis } from '../support/redis/redis-servers.js';
import { testSameResponses } from './same-responses.js';

testSameResponses(['memory', 'a folder', ...(hasRedis() ? (['one Redis'] as const) : [])], /groups\./);
