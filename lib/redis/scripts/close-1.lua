--[[
Ends a sale now and for good. Orders already accepted go on.

KEYS[1] sale      hash

ARGV[1] epoch

Replies
  unknown_sale
  stale_epoch
  already_closed endsAt
  closed endsAt
]]
--@include now-ms
--@include write-rules
local call = redis.call
local info = call('HMGET', KEYS[1], 'epoch', 'closed', 'endsAt')
if not info[1] then return 'unknown_sale' end
if info[1] ~= ARGV[1] then return 'stale_epoch' end
if info[2] == '1' then return 'already_closed ' .. info[3] end

local now = nowMs()
local endsAt = math.min(tonumber(info[3]), now)
call('HSET', KEYS[1], 'closed', 1, 'endsAt', endsAt)
writeRules(KEYS[1])
return 'closed ' .. endsAt
