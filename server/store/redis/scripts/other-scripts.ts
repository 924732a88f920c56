// What is done inside Redis to no log: the trial of what is needed.
import { type Script, scriptOf } from './script.js';

/** Calls once what the other scripts call, and leaves nothing. ARGV: a channel. */
export const TRY_ALL: Script = scriptOf(`
if not redis.REDIS_VERSION then return {'old', micros} end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('HSET', KEYS[1], 'a', 1)
redis.call('HMGET', KEYS[1], 'a')
redis.call('HGETALL', KEYS[1])
redis.call('HLEN', KEYS[1])
redis.call('HDEL', KEYS[1], 'a')
redis.call('RPUSH', KEYS[1], 'a', 'b')
redis.call('LLEN', KEYS[1])
redis.call('LINDEX', KEYS[1], 0)
redis.call('LRANGE', KEYS[1], 0, -1)
redis.call('LTRIM', KEYS[1], 1, -1)
redis.call('SET', KEYS[2], 'a', 'PX', 1000)
redis.call('GET', KEYS[2])
redis.call('EXISTS', KEYS[2])
redis.call('PEXPIRETIME', KEYS[2])
redis.call('PEXPIREAT', KEYS[2], now + 1000)
redis.call('PEXPIRE', KEYS[2], 1000, 'GT')
redis.call('PTTL', KEYS[2])
redis.call('SPUBLISH', ARGV[1], '')
redis.call('DEL', KEYS[1], KEYS[2])
return {'done', micros}
`);
