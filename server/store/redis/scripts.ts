// The Lua scripts of the store. Redis runs each of them as one atomic step.
//
// KEYS of a sandbox: [1] a hash that describes its log, [2] its base, [3] its records, each after the id of its append, [4] its own part.
// Fields of the hash: f format, g log, v last record, i its id, o records forgotten, j id of the last of these, b record of the base, t ttl, p name of its part.
//
// `#!lua` declares a script that writes: a replica, and a Redis without memory, refuse it before it does anything. `allow-oom` is for scripts that need no memory.

/** ARGV: format, channel, sandbox, log, base, name of the part or '', ttl or '', own part or ''. */
export const CREATE = `#!lua
local there = redis.call('HMGET', KEYS[1], 'f', 'g')
if there[1] and there[1] ~= ARGV[1] then return {'format', there[1]} end
if there[1] then return {there[2] == ARGV[4] and 'done' or 'taken'} end
redis.call('DEL', unpack(KEYS))
redis.call('HSET', KEYS[1], 'f', ARGV[1], 'g', ARGV[4], 'v', 0, 'i', ARGV[4], 'o', 0, 'j', ARGV[4], 'b', 0, 't', ARGV[7], 'p', ARGV[6])
redis.call('SET', KEYS[2], ARGV[5])
if ARGV[8] ~= '' then redis.call('SET', KEYS[4], ARGV[8]) end
if ARGV[7] ~= '' then
  for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[7]) end
end
redis.call('PUBLISH', ARGV[2], ARGV[3])
return {'done'}
`;

const LOG = `
local format, log, last, id, from, fromId, base, ttl, part =
  unpack(redis.call('HMGET', KEYS[1], 'f', 'g', 'v', 'i', 'o', 'j', 'b', 't', 'p'))
if not format then return {'gone'} end
if format ~= ARGV[1] then return {'format', format} end
last, from, base, ttl = tonumber(last), tonumber(from), tonumber(base), tonumber(ttl)
if redis.call('EXISTS', KEYS[2]) == 0 or redis.call('LLEN', KEYS[3]) ~= last - from then return {'lost'} end

local function idAt(record)
  if record == from then return fromId end
  if record == last then return id end
  return string.match(redis.call('LINDEX', KEYS[3], record - from - 1), '^%S+')
end
`;

const READ = `
-- Puts off the end when a twentieth of the time has passed; returns whether it did.
local function use(isNow)
  if not ttl or not isNow and redis.call('PTTL', KEYS[1]) > ttl * 0.95 then return false end
  for key = 1, 3 do redis.call('PEXPIRE', KEYS[key], ttl) end
  return true
end

-- What follows a record that is known with its id; all of the log if it is unknown.
local function tail(how, isRenewed, knownLog, known, knownId)
  local isKnown = knownLog == log and known >= from and known <= last and idAt(known) == knownId
  local text = not isKnown and redis.call('GET', KEYS[2])
  local records = redis.call('LRANGE', KEYS[3], isKnown and known - from or 0, -1)
  return {how, part, ttl or false, isRenewed and 1 or 0, log, last, id, from, base, text, records}
end
`;

/** ARGV: format, channel, sandbox, log, last, id, from, base; id of this append, records. */
export const APPEND = `#!lua
${LOG}${READ}
if log ~= ARGV[4] then return {'gone'} end
if last ~= tonumber(ARGV[5]) or id ~= ARGV[6] or from ~= tonumber(ARGV[7]) or base ~= tonumber(ARGV[8]) then
  return tail('behind', use(false), ARGV[4], tonumber(ARGV[5]), ARGV[6])
end
redis.call('HSET', KEYS[1], 'v', last + #ARGV - 9, 'i', ARGV[9])
for at = 10, #ARGV, 1000 do redis.call('RPUSH', KEYS[3], unpack(ARGV, at, math.min(at + 999, #ARGV))) end
local isRenewed = use(last == from) -- a list that was empty has no end yet
redis.call('PUBLISH', ARGV[2], ARGV[3])
return {'done', part, ttl or false, isRenewed and 1 or 0}
`;

/** ARGV: format, log or '', last, id, '1' if it does not count as use. */
export const SINCE = `#!lua flags=allow-oom
${LOG}${READ}
return tail('done', ARGV[5] ~= '1' and use(false), ARGV[2], tonumber(ARGV[3]), ARGV[4])
`;

/** ARGV: format, log, last, id, from, base; records to forget, record of the new base, new base or ''. */
export const COMPACT = `#!lua
${LOG}
if log ~= ARGV[2] then return {'gone'} end
if last ~= tonumber(ARGV[3]) or id ~= ARGV[4] or from ~= tonumber(ARGV[5]) or base ~= tonumber(ARGV[6]) then return {'behind'} end
redis.call('HSET', KEYS[1], 'o', ARGV[7], 'j', idAt(tonumber(ARGV[7])), 'b', ARGV[8])
if ARGV[9] ~= '' then redis.call('SET', KEYS[2], ARGV[9], 'KEEPTTL') end
redis.call('LTRIM', KEYS[3], ARGV[7] - from, -1)
return {'done'}
`;

/** ARGV: format, channel, sandbox. */
export const DROP = `#!lua flags=allow-oom
local format = redis.call('HGET', KEYS[1], 'f')
if not format then return {'gone'} end
if format ~= ARGV[1] then return {'format', format} end
redis.call('DEL', unpack(KEYS))
redis.call('PUBLISH', ARGV[2], ARGV[3])
return {'done'}
`;
