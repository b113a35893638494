--[[
Moves the end of a sale that is not over to a later moment. What has ended stays ended: shoppers have been told so.

KEYS[1] sale      hash
KEYS[2] limits    hash: what the purchase script has counted; kept until the new end

ARGV[1] epoch
ARGV[2] endsAt    ms

Replies
  unknown_sale
  stale_epoch
  ended endsAt
  not_later endsAt            the end that holds is later than this one
  extended
]]
--@include write-rules
local call = redis.call
local info = call('HMGET', KEYS[1], 'epoch', 'closed', 'endsAt')
if not info[1] then return 'unknown_sale' end
if info[1] ~= ARGV[1] then return 'stale_epoch' end

local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if info[2] == '1' or now >= tonumber(info[3]) then return 'ended ' .. info[3] end
-- The same end again is a repetition: the answer to the first call may have got lost.
if tonumber(ARGV[2]) < tonumber(info[3]) then return 'not_later ' .. info[3] end

call('HSET', KEYS[1], 'endsAt', ARGV[2])
call('PEXPIREAT', KEYS[2], ARGV[2])
writeRules(KEYS[1])
return 'extended'
