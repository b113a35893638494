--[[
Takes a worker number for a while if nobody has it, and claims a span of time for its order numbers.

KEYS[1] worker    string with a TTL: the holder
KEYS[2] mark      string: no moment after this was ever used by this worker number

ARGV[1] owner
ARGV[2] ttlMs
ARGV[3] now of the caller, ms
ARGV[4] length of the span, ms

Replies
  taken
  leased startAfter until      use only moments after the first, up to the second (ms)
]]
local call = redis.call
if not call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 'taken' end
local startAfter = tonumber(call('GET', KEYS[2]) or 0)
local untilMs = math.max(startAfter, tonumber(ARGV[3])) + tonumber(ARGV[4])
call('SET', KEYS[2], untilMs)
return 'leased ' .. startAfter .. ' ' .. untilMs
