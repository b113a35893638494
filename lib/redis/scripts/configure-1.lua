--[[
Changes a running sale's settings. Where it may sell then and could not before, a worker gives what is for sale to those
who wait.

KEYS[1] sale      hash

ARGV[1] epoch
ARGV[2…] field, value, …       fields: startsAt, endsAt (ms), paused, reservedOnly (0 or 1), limit, limits,
                              waitlist (0 or 1)

Replies
  unknown_sale
  stale_epoch
  configured
]]
--@include write-rules
local call = redis.call
local epoch = call('HGET', KEYS[1], 'epoch')
if not epoch then return 'unknown_sale' end
if epoch ~= ARGV[1] then return 'stale_epoch' end
call('HSET', KEYS[1], unpack(ARGV, 2))
writeRules(KEYS[1])
return 'configured'
