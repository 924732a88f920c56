// What is done inside Redis to things that are no log: parts of bases, and the trial of what is needed. Knows no log.
import { type Script, scriptOf } from './script.js';

/**
 * KEYS: a part, and the hash of its holders: the logs without an end that refer to it, and in e until when others need it. ARGV: milliseconds from now
 * for which a log needs it; or '', and the log that holds it without an end.
 */
export const KEEP_PART: Script = scriptOf(`
if redis.call('EXISTS', KEYS[1]) == 0 then return {'gone', micros} end
local isHeld = redis.call('EXISTS', KEYS[2]) == 1
if ARGV[1] == '' then
  if not isHeld then
    local ends = redis.call('PEXPIRETIME', KEYS[1])
    if ends > 0 then redis.call('HSET', KEYS[2], 'e', ends) end
  end
  redis.call('HSET', KEYS[2], ARGV[2], 1)
  redis.call('PERSIST', KEYS[1])
elseif isHeld then
  local ends = tonumber(redis.call('HGET', KEYS[2], 'e') or 0)
  redis.call('HSET', KEYS[2], 'e', math.max(ends, now + ARGV[1]))
else
  redis.call('PEXPIRE', KEYS[1], ARGV[1], 'GT')
end
return {'done', micros}
`);

/** A log without an end refers to a part no longer. It goes when nobody needs it, but not at once: somebody may be about to. ARGV: the log, milliseconds. */
export const RELEASE_PART: Script = scriptOf(`
redis.call('HDEL', KEYS[2], ARGV[1])
local ends = redis.call('HGET', KEYS[2], 'e')
if redis.call('HLEN', KEYS[2]) > (ends and 1 or 0) then return {'held', micros} end
redis.call('DEL', KEYS[2])
redis.call('PEXPIREAT', KEYS[1], math.max(tonumber(ends or 0), now + ARGV[2]))
return {'done', micros}
`);

/** Calls once what the other scripts call, and leaves nothing. ARGV: a channel. */
export const TRY_ALL: Script = scriptOf(`
if not redis.REDIS_VERSION then return {'old', micros} end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('HSET', KEYS[1], 'a', 1)
redis.call('HMGET', KEYS[1], 'a')
redis.call('HGET', KEYS[1], 'a')
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
redis.call('PERSIST', KEYS[2])
redis.call('SPUBLISH', ARGV[1], '')
redis.call('DEL', KEYS[1], KEYS[2])
return {'done', micros}
`);
