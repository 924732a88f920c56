// Every rule and the story of tests/replicas on every store.
import { stores, testSameResponses } from '../../replicas/same-responses.js';
import { hasRedis } from '../../support/redis/redis-servers.js';

const names = Object.keys(stores) as Array<keyof typeof stores>; // each has its own
testSameResponses(hasRedis() ? names : ['memory', 'a folder'], /./);
