// Every rule and the story of tests/replicas on every store.
import { stores, testSameAnswers } from '../../replicas/same-answers.js';
import { hasRedis } from '../../support/redis/redis-servers.js';

const names = Object.keys(stores) as Array<keyof typeof stores>; // each has its own
testSameAnswers(hasRedis() ? names : ['memory', 'a folder'], /./);
