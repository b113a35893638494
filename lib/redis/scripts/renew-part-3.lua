--[[
Keeps a part of a worker number and extends its span of time.

KEYS[1] worker    string with a TTL: "parts count since" while parts of the number are leased
KEYS[2] mark      string: no moment after this was ever used by this worker number, whole or part
KEYS[3] parts     hash: part -> its holder, the end of its lease and the last moment it may have used, both ms

ARGV[1] owner
ARGV[2] ttlMs
ARGV[3] latest moment used or now, ms
ARGV[4] length of the span, ms
ARGV[5] part

Replies
  lost                         it ran out or someone else has it
  renewed until
]]
--@include now-ms
local call = redis.call
local owner, last = string.match(call('HGET', KEYS[3], ARGV[5]) or '', '^(%S+) %d+ (%d+)$')
if owner ~= ARGV[1] or not string.match(call('GET', KEYS[1]) or '', '^parts ') then return 'lost' end

local now = nowMs()
local untilMs = math.max(tonumber(last), tonumber(ARGV[3]) + tonumber(ARGV[4]))
call('HSET', KEYS[3], ARGV[5], string.format('%s %.0f %.0f', owner, now + tonumber(ARGV[2]), untilMs))
call('SET', KEYS[2], string.format('%.0f', math.max(tonumber(call('GET', KEYS[2]) or 0), untilMs)))
call('PEXPIRE', KEYS[1], math.max(call('PTTL', KEYS[1]), tonumber(ARGV[2])))
return 'renewed ' .. string.format('%.0f', untilMs)
