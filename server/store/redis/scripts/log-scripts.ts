// What is done to a log inside Redis. Every script takes the keys of one log in the same order, and refuses what another format wrote.
// The first write of a script is one that Redis refuses when it has no room, so that nothing is half done.
import { type Script, scriptOf } from './script.js';

/**
 * A replica may be behind its master: nothing is read there either. The write changes nothing, and others of its errors do not matter here.
 * It must not stand before a write that adds something: Redis looks only before the first write whether it has room.
 */
const MASTER = `
local tried = redis.pcall('HDEL', KEYS[1], '')
if type(tried) == 'table' and string.find(tried.err, '^READONLY') then return tried end
`;

/**
 * The hash of a log: f format, g log, v version, i id of the last entry, o version of the base, j id at the base, t ttl, u when its end is put off,
 * r run of the notes, n number of the last note, d notes forgotten, c of them cleared, p its parts, w whose turn it is, k until when,
 * a:<writer> what a writer did last. ARGV[1] is the format. No local functions: making them costs more than most commands.
 */
const FIELDS = "'f', 'g', 'v', 'i', 'o', 'j', 't', 'r', 'n', 'd', 'c', 'p', 'w', 'k', 'u'";
const LOG = `
if not m[1] then ${MASTER} return {'gone', micros} end
if m[1] ~= ARGV[1] then return {'format', micros, m[1]} end
local log, id, idAtBase, ttl, parts = m[2], m[4], m[6], tonumber(m[7]), m[12]
local version, from, run, last, forgotten = tonumber(m[3]), tonumber(m[5]), tonumber(m[8]), tonumber(m[9]), tonumber(m[10])
`;
const READ = `local m = redis.call('HMGET', KEYS[1], ${FIELDS})${LOG}`;

/** All keys of a log go at the same time; a missing one means that the engine has thrown it away. */
const WHOLE = `
if redis.call('EXISTS', KEYS[2]) == 0 or redis.call('LLEN', KEYS[3]) ~= version - from or redis.call('LLEN', KEYS[4]) ~= last - forgotten then
  return {'lost', micros}
end
`;

/** Puts off the end of a log, when a twentieth of its time has passed, and tells the parts whose end is to be put off too. What is only read is answered even where this cannot be. */
const USE = `
if ttl and now > tonumber(m[15]) then
  redis.pcall('HSET', KEYS[1], 'u', now + ttl / 20)
  for key = 1, 4 do redis.pcall('PEXPIREAT', KEYS[key], now + ttl) end
  renewed = parts
end
`;

/** Sets \`idAtVersion\` to the id at a version that the log has. */
const idAt = (version: string) => `
local idAtVersion
if ${version} == from then idAtVersion = idAtBase
elseif ${version} == version then idAtVersion = id
else idAtVersion = string.match(redis.call('LINDEX', KEYS[3], ${version} - from - 1), '^[^%s,]+') end
`;

/** What there is beyond a version that is known with the id at it, and beyond notes: run -2: they are not asked for. */
const TAIL = `
local isKnown = seenLog == log and seenVersion >= from and seenVersion <= version
if isKnown then ${idAt('seenVersion')} isKnown = idAtVersion == seenId end
local base = false
if not isKnown then base = redis.call('GET', KEYS[2]) end
local entries = redis.call('LRANGE', KEYS[3], isKnown and seenVersion - from or 0, -1)
local notes = {}
if seenRun ~= -2 then
  local first = 0
  if seenLog == log and seenRun == run and seenLast <= last then first = math.max(0, seenLast - forgotten) end
  notes = redis.call('LRANGE', KEYS[4], first, -1)
end
return {how, micros, log, version, id, from, run, last, forgotten, tonumber(m[11]), ttl or false, base, entries, notes, renewed}
`;

/** ARGV: format, log, id, base, parts, ttl or '', channel. */
export const CREATE: Script = scriptOf(`
local there = redis.call('HMGET', KEYS[1], 'f', 'g')
if there[1] then
  ${MASTER}
  if there[1] ~= ARGV[1] then return {'format', micros, there[1]} end
  return {there[2] == ARGV[2] and 'done' or 'taken', micros}
end
redis.call('HSET', KEYS[1], 'f', ARGV[1], 'g', ARGV[2], 'v', 0, 'i', ARGV[3], 'o', 0, 'j', ARGV[3], 'r', 0, 'n', 0, 'd', 0, 'c', 0, 'p', ARGV[5])
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
redis.call('SET', KEYS[2], ARGV[4])
local ttl = tonumber(ARGV[6])
if ttl then
  redis.call('HSET', KEYS[1], 't', ttl, 'u', now + ttl / 20)
  redis.call('PEXPIREAT', KEYS[1], now + ttl)
  redis.call('PEXPIREAT', KEYS[2], now + ttl)
end
redis.call('SPUBLISH', ARGV[7], '')
return {'done', micros}
`);

/**
 * ARGV: format, log, version, id, from, writer, its field, number of the append, its id, count of entries, place of the new run from 1 or 0, run and
 * last of the notes seen, milliseconds of the turn that is wanted or 0, channel; run of the notes to forget or -1, up to which one, and up to which
 * one on purpose; then the entries and the notes.
 */
export const APPEND: Script = scriptOf(`
local m = redis.call('HMGET', KEYS[1], ${FIELDS}, ARGV[7])${LOG}
if log ~= ARGV[2] then ${MASTER} return {'gone', micros} end
local did, renewed = m[16], false
if did then
  local number, didRun, didLast = string.match(did, '^(%d+) (%d+) (%d+)')
  if number == ARGV[8] then ${MASTER} return {'done', micros, tonumber(didRun), tonumber(didLast), false, false} end
  if tonumber(number) > tonumber(ARGV[8]) then return {'past', micros} end
end
local keys = 1 + (version > from and 1 or 0) + (last > forgotten and 1 or 0)
if redis.call('EXISTS', KEYS[2], KEYS[3], KEYS[4]) ~= keys then return {'lost', micros} end
local isTurn = m[13] and tonumber(m[14]) > now
local isOwn = m[13] == ARGV[6]
if version ~= tonumber(ARGV[3]) or id ~= ARGV[4] or from ~= tonumber(ARGV[5]) then
  ${MASTER}${WHOLE}
  if ARGV[14] ~= '0' and (isOwn or not isTurn) then redis.call('HSET', KEYS[1], 'w', ARGV[6], 'k', now + tonumber(ARGV[14])) end
  local how, seenLog, seenVersion, seenId, seenRun, seenLast = 'behind', ARGV[2], tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[12]), tonumber(ARGV[13])
  ${USE}${TAIL}
end
if isTurn and not isOwn then return {'wait', micros} end
local entries, place = tonumber(ARGV[10]), tonumber(ARGV[11])
local notes = #ARGV - 18 - entries
if entries > 0 then id = ARGV[9] end
if place > 0 then run, last, forgotten = version + place, 0, 0 end
local tooMany, cleared = 0, 0
if run == tonumber(ARGV[16]) then
  tooMany = math.max(0, math.min(tonumber(ARGV[17]), last) - forgotten)
  cleared = math.max(0, math.min(tonumber(ARGV[18]), last) - forgotten - tooMany)
  forgotten = forgotten + tooMany + cleared
end
local isFirst = ttl and ((entries > 0 and version == from) or (notes > 0 and last == forgotten))
last = last + notes
redis.call('HSET', KEYS[1], 'v', version + entries, 'i', id, 'r', run, 'n', last, 'd', forgotten, ARGV[7], ARGV[8] .. ' ' .. run .. ' ' .. last .. ' ' .. now)
if place > 0 then
  redis.call('HSET', KEYS[1], 'c', 0)
  redis.call('DEL', KEYS[4])
end
if tooMany + cleared > 0 then
  redis.call('HSET', KEYS[1], 'c', tonumber(m[11]) + cleared)
  redis.call('LTRIM', KEYS[4], tooMany + cleared, -1)
end
for at = 19, 18 + entries, 1000 do redis.call('RPUSH', KEYS[3], unpack(ARGV, at, math.min(at + 999, 18 + entries))) end
for at = 19 + entries, #ARGV, 1000 do redis.call('RPUSH', KEYS[4], unpack(ARGV, at, math.min(at + 999, #ARGV))) end
if isOwn then redis.call('HDEL', KEYS[1], 'w', 'k') end
if not did and redis.call('HLEN', KEYS[1]) > 100 then
  local all = redis.call('HGETALL', KEYS[1])
  for at = 1, #all, 2 do
    local done = string.match(all[at], '^a:') and string.match(all[at + 1], '%d+$')
    if done and now - tonumber(done) > 600000 then redis.call('HDEL', KEYS[1], all[at]) end
  end
end
${USE}
if isFirst and not renewed then
  local ends = redis.call('PEXPIRETIME', KEYS[1])
  if ends > 0 then
    redis.call('PEXPIREAT', KEYS[3], ends)
    redis.call('PEXPIREAT', KEYS[4], ends)
  end
end
redis.call('SPUBLISH', ARGV[15], '')
return {'done', micros, run, last, renewed, ttl or false}
`);

/** Before parts are kept that a log is about to refer to: what comes of that or not, the next compaction finds them. ARGV: format, log, parts. */
export const REFER: Script = scriptOf(`${READ}
if log ~= ARGV[2] then ${MASTER} return {'gone', micros} end
for name in string.gmatch(ARGV[3], '%S+') do
  if not string.find(parts, name, 1, true) then parts = parts .. ' ' .. name end
end
redis.call('HSET', KEYS[1], 'p', parts)
return {'done', micros, ttl or false}
`);

/** ARGV: format, log seen or '', version seen, the id at it, run and last of the notes seen, whether it is only looked at: 1. */
export const SINCE: Script = scriptOf(`${MASTER}${READ}${WHOLE}
local how, renewed = 'done', false
local seenLog, seenVersion, seenId, seenRun, seenLast = ARGV[2], tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
if ARGV[7] ~= '1' then ${USE} end
${TAIL}
`);

/** ARGV: format, log, version, id, from, version up to which entries are forgotten, base, parts, whether it is tried again: 1. */
export const COMPACT: Script = scriptOf(`${READ}${WHOLE}
local cut = tonumber(ARGV[6])
local isSame = log == ARGV[2] and version == tonumber(ARGV[3]) and id == ARGV[4] and from == tonumber(ARGV[5])
if not isSame or cut <= from or cut > version then
  ${MASTER}
  if log ~= ARGV[2] then return {'gone', micros} end
  local isDone = ARGV[9] == '1' and version == tonumber(ARGV[3]) and id == ARGV[4] and from == cut
  return {(isSame or isDone) and 'done' or 'behind', micros, from, parts, ttl or false, parts}
end
${idAt('cut')}
redis.call('SET', KEYS[2], ARGV[7], 'KEEPTTL')
redis.call('LTRIM', KEYS[3], cut - from, -1)
local left = ' ' .. ARGV[8]
local function add(heads)
  for name in string.gmatch(heads or '', '[^,]+') do
    if not string.find(left, name, 1, true) then left = left .. ' ' .. name end
  end
end
if #parts > 0 then
  for _, entry in ipairs(redis.call('LRANGE', KEYS[3], 0, -1)) do add(string.match(entry, '^[^%s,]+,(%S+)')) end
  for _, note in ipairs(redis.call('LRANGE', KEYS[4], 0, -1)) do add(string.match(note, '^,(%S+)')) end
end
redis.call('HSET', KEYS[1], 'o', cut, 'j', idAtVersion, 'p', string.sub(left, 2))
return {'done', micros, cut, parts, ttl or false, string.sub(left, 2)}
`);

/** KEYS[5]: who dropped it. ARGV: format, id of this drop, channel. A drop whose answer was lost is told from one that found nothing. */
export const DROP: Script = scriptOf(`${MASTER}
local known = redis.call('HMGET', KEYS[1], 'f', 'g', 't', 'p')
local format = known[1]
if format and format ~= ARGV[1] then return {'format', micros, format} end
if not format then return {redis.call('GET', KEYS[5]) == ARGV[2] and 'done' or 'gone', micros} end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
redis.pcall('SET', KEYS[5], ARGV[2], 'PX', 60000)
redis.call('SPUBLISH', ARGV[3], '')
return {'done', micros, known[2], tonumber(known[3]) or false, known[4]}
`);
