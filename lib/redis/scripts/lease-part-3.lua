--[[
Takes a part of a worker number for a while, if one is free, and claims a span of time for its order numbers. A part is some of
the sequence numbers of each millisecond, all of them where count is 1, so the parts of a number never meet.

KEYS[1] worker    string with a TTL: "parts count since" while parts of it are leased: into how many, and up to which moment
                  (ms) the number may have been used before; of the release before this one also the holder of the whole
KEYS[2] mark      string: no moment after this was ever used by this worker number, whole or part
KEYS[3] parts     hash: part -> its holder, the end of its lease and the last moment it may have used, both ms

ARGV[1] owner
ARGV[2] ttlMs
ARGV[3] now of the caller, ms
ARGV[4] length of the span, ms
ARGV[5] count     into how many parts the number is split
ARGV[6] first     the part to look at first, from 0

Replies
  taken
  leased part startAfter until      use only moments after the second, up to the third (ms)
]]
--@include now-ms
local call = redis.call
local worker, marked, parts, count = KEYS[1], KEYS[2], KEYS[3], tonumber(ARGV[5])

local holder = call('GET', worker)
local split, since = string.match(holder or '', '^parts (%d+) (%d+)$')
if holder and tonumber(split or 0) ~= count then return 'taken' end
local mark = tonumber(call('GET', marked) or 0)
if not holder then
  -- The mark also fences off every earlier holder, of the whole number or of other parts.
  call('DEL', parts)
  since = mark
end

local now = nowMs()
local found, last
for i = 0, count - 1 do
  local part = (tonumber(ARGV[6]) + i) % count
  local expiresAt, usedMs = string.match(call('HGET', parts, part) or '', '(%d+) (%d+)$')
  if tonumber(expiresAt or 0) <= now then
    found, last = part, tonumber(usedMs or 0)
    break
  end
end
if not found then return 'taken' end

local startAfter = math.max(tonumber(since), last)
local untilMs = math.max(startAfter, tonumber(ARGV[3])) + tonumber(ARGV[4])
call('HSET', parts, found, string.format('%s %.0f %.0f', ARGV[1], now + tonumber(ARGV[2]), untilMs))
call('SET', marked, string.format('%.0f', math.max(mark, untilMs)))
local ttlMs = math.max(call('PTTL', worker), tonumber(ARGV[2]))
call('SET', worker, string.format('parts %d %.0f', count, since), 'PX', ttlMs)
return 'leased ' .. string.format('%d %.0f %.0f', found, startAfter, untilMs)
