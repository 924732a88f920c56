// What is done inside Redis: Lua scripts, each of which runs atomically. Those of logs take the keys of one log in the same order, and refuse what another
// format wrote. The first write of a script is one that Redis refuses when it has no room, so that nothing is half done.
import { createHash } from 'node:crypto';

export interface Script {
  readonly text: string;
  readonly sha: string;
}

/** The first two elements of every response are the outcome, and the engine's time in microseconds. */
export function scriptOf(text: string): Script {
  const whole = `${CLOCK}${text}`;
  return { text: whole, sha: createHash('sha1').update(whole).digest('hex') };
}

const CLOCK = `
local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]
local now = math.floor(micros / 1000)
`;

/**
 * A replica may be behind its master: nothing is read there either. The write changes nothing, and others of its errors do not matter here.
 * It must not stand before a write that adds something: Redis looks only before the first write whether it has room.
 */
const MASTER = `
local tried = redis.pcall('HDEL', KEYS[1], '')
if type(tried) == 'table' and string.find(tried.err, '^READONLY') then return tried end
`;

/**
 * The hash of a log: f format, g log, v last record, i its id, o records forgotten, j id of the last of these, b record of the base, t ttl, u when its
 * end is put off, p its part, c id of the last compaction, w whose turn it is, k until when, a:<writer> what a writer did last. ARGV[1] is the format.
 * No local functions: making them costs more than most commands.
 */
const FIELDS = "'f', 'g', 'v', 'i', 'o', 'j', 'b', 't', 'u', 'p', 'w', 'k'";
const LOG = `
if not m[1] then ${MASTER} return {'gone', micros} end
if m[1] ~= ARGV[1] then return {'format', micros, m[1]} end
local log, last, id, from, idAtFrom, base, ttl = m[2], tonumber(m[3]), m[4], tonumber(m[5]), m[6], tonumber(m[7]), tonumber(m[8])
`;
const READ = `local m = redis.call('HMGET', KEYS[1], ${FIELDS})${LOG}`;

/** All keys of a log go at the same time; a missing one means that the engine has thrown it away. */
const WHOLE = `
if redis.call('EXISTS', KEYS[2]) == 0 or redis.call('LLEN', KEYS[3]) ~= last - from then return {'lost', micros} end
`;

/** Puts off the end of a log, when a twentieth of its time has passed, and tells the part whose end is to be put off too. What is only read is answered even where this cannot be. */
const USE = `
if ttl and now > tonumber(m[9]) then
  redis.pcall('HSET', KEYS[1], 'u', now + ttl / 20)
  for key = 1, 3 do redis.pcall('PEXPIREAT', KEYS[key], now + ttl) end
  renewed = m[10]
end
`;

/** Sets \`idAt\` to the id at a record that the log has. */
const idAt = (number: string) => `
local idAt
if ${number} == from then idAt = idAtFrom
elseif ${number} == last then idAt = id
else idAt = string.match(redis.call('LINDEX', KEYS[3], ${number} - from - 1), '^%S+') end
`;

/** What there is beyond a record that is known with its id. */
const TAIL = `
local isKnown = seenLog == log and seenLast >= from and seenLast <= last
if isKnown then ${idAt('seenLast')} isKnown = idAt == seenId end
local text = false
if not isKnown then text = redis.call('GET', KEYS[2]) end
local records = redis.call('LRANGE', KEYS[3], isKnown and seenLast - from or 0, -1)
return {how, micros, log, last, id, from, base, ttl or false, text, records, m[10], renewed}
`;

/** KEYS[4]: the part of a log without an end. ARGV: format, log, base, name of the part or '', ttl or '', channel, part or ''. */
export const CREATE: Script = scriptOf(`
local there = redis.call('HMGET', KEYS[1], 'f', 'g')
if there[1] then
  ${MASTER}
  if there[1] ~= ARGV[1] then return {'format', micros, there[1]} end
  return {there[2] == ARGV[2] and 'done' or 'taken', micros}
end
redis.call('HSET', KEYS[1], 'f', ARGV[1], 'g', ARGV[2], 'v', 0, 'i', ARGV[2], 'o', 0, 'j', ARGV[2], 'b', 0, 'p', ARGV[4])
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
redis.call('SET', KEYS[2], ARGV[3])
if ARGV[7] ~= '' then redis.call('SET', KEYS[4], ARGV[7]) end
local ttl = tonumber(ARGV[5])
if ttl then
  redis.call('HSET', KEYS[1], 't', ttl, 'u', now + ttl / 20)
  redis.call('PEXPIREAT', KEYS[1], now + ttl)
  redis.call('PEXPIREAT', KEYS[2], now + ttl)
end
redis.call('SPUBLISH', ARGV[6], '')
return {'done', micros}
`);

/**
 * ARGV: format, log, last, id, from, base, writer, its field, number of the append, its id, milliseconds of the turn that is wanted or 0, channel; then
 * the records.
 */
export const APPEND: Script = scriptOf(`
local m = redis.call('HMGET', KEYS[1], ${FIELDS}, ARGV[8])${LOG}
if log ~= ARGV[2] then ${MASTER} return {'gone', micros} end
local did, renewed = m[13], false
if did then
  local number = string.match(did, '^%d+')
  if number == ARGV[9] then ${MASTER} return {'done', micros, false, false} end
  if tonumber(number) > tonumber(ARGV[9]) then return {'past', micros} end
end
if redis.call('EXISTS', KEYS[2], KEYS[3]) ~= 1 + (last > from and 1 or 0) then return {'lost', micros} end
local isTurn = m[11] and tonumber(m[12]) > now
local isOwn = m[11] == ARGV[7]
if last ~= tonumber(ARGV[3]) or id ~= ARGV[4] or from ~= tonumber(ARGV[5]) or base ~= tonumber(ARGV[6]) then
  ${MASTER}${WHOLE}
  if ARGV[11] ~= '0' and (isOwn or not isTurn) then redis.call('HSET', KEYS[1], 'w', ARGV[7], 'k', now + tonumber(ARGV[11])) end
  local how, seenLog, seenLast, seenId = 'behind', ARGV[2], tonumber(ARGV[3]), ARGV[4]
  ${USE}${TAIL}
end
if isTurn and not isOwn then return {'wait', micros} end
redis.call('HSET', KEYS[1], 'v', last + #ARGV - 12, 'i', ARGV[10], ARGV[8], ARGV[9] .. ' ' .. now)
for at = 13, #ARGV, 1000 do redis.call('RPUSH', KEYS[3], unpack(ARGV, at, math.min(at + 999, #ARGV))) end
if isOwn then redis.call('HDEL', KEYS[1], 'w', 'k') end
if not did and redis.call('HLEN', KEYS[1]) > 100 then
  local all = redis.call('HGETALL', KEYS[1])
  for at = 1, #all, 2 do
    local done = string.match(all[at], '^a:') and string.match(all[at + 1], '%d+$')
    if done and now - tonumber(done) > 600000 then redis.call('HDEL', KEYS[1], all[at]) end
  end
end
${USE}
if ttl and last == from and not renewed then
  local ends = redis.call('PEXPIRETIME', KEYS[1])
  if ends > 0 then redis.call('PEXPIREAT', KEYS[3], ends) end
end
redis.call('SPUBLISH', ARGV[12], '')
return {'done', micros, renewed, ttl or false}
`);

/** ARGV: format, log seen or '', last record seen, its id, whether it is only looked at: 1. */
export const SINCE: Script = scriptOf(`${MASTER}${READ}${WHOLE}
local how, renewed, seenLog, seenLast, seenId = 'done', false, ARGV[2], tonumber(ARGV[3]), ARGV[4]
if ARGV[5] ~= '1' then ${USE} end
${TAIL}
`);

/** ARGV: format, log, last, id, from, base; records to forget, record of the new base, new base or '', id of this compaction. */
export const COMPACT: Script = scriptOf(`${READ}${WHOLE}
local cut, newBase = tonumber(ARGV[7]), tonumber(ARGV[8])
if log ~= ARGV[2] then ${MASTER} return {'gone', micros} end
local isSame = last == tonumber(ARGV[3]) and id == ARGV[4]
if not isSame or from ~= tonumber(ARGV[5]) or base ~= tonumber(ARGV[6]) then
  ${MASTER}
  return {isSame and redis.call('HMGET', KEYS[1], 'c')[1] == ARGV[10] and 'done' or 'behind', micros}
end
${idAt('cut')}
redis.call('HSET', KEYS[1], 'o', cut, 'j', idAt, 'b', newBase, 'c', ARGV[10])
if ARGV[9] ~= '' then redis.call('SET', KEYS[2], ARGV[9], 'KEEPTTL') end
redis.call('LTRIM', KEYS[3], cut - from, -1)
return {'done', micros}
`);

/** KEYS[5]: who dropped it. ARGV: format, id of this drop, channel. A drop whose response was lost is told from one that found nothing. */
export const DROP: Script = scriptOf(`${MASTER}
local format = redis.call('HMGET', KEYS[1], 'f')[1]
if format and format ~= ARGV[1] then return {'format', micros, format} end
if not format then return {redis.call('GET', KEYS[5]) == ARGV[2] and 'done' or 'gone', micros} end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
redis.pcall('SET', KEYS[5], ARGV[2], 'PX', 60000)
redis.call('SPUBLISH', ARGV[3], '')
return {'done', micros}
`);

/** Calls once what the other scripts call, and leaves nothing. ARGV: format, channel. */
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
redis.call('SPUBLISH', ARGV[2], '')
redis.call('DEL', KEYS[1], KEYS[2])
return {'done', micros}
`);
