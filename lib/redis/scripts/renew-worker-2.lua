--[[
Keeps a worker number and extends its span of time.

KEYS[1] worker    string with a TTL: the holder
KEYS[2] mark      string: no moment after this was ever used by this worker number

ARGV[1] owner
ARGV[2] ttlMs
ARGV[3] latest moment used or now, ms
ARGV[4] length of the span, ms

Replies
  lost                         it ran out or someone else has it
  renewed until
]]
local call = redis.call
if call('GET', KEYS[1]) ~= ARGV[1] then return 'lost' end
call('PEXPIRE', KEYS[1], ARGV[2])
local mark = tonumber(call('GET', KEYS[2]) or 0)
local untilMs = math.max(mark, tonumber(ARGV[3]) + tonumber(ARGV[4]))
call('SET', KEYS[2], untilMs)
return 'renewed ' .. untilMs
