--[[
Changes a running sale's settings. Where it may sell then and could not before, those who wait get what is for sale.

KEYS[1] sale      hash
KEYS[2] buyers    hash: user id -> jti,orderNo,units,state joined by ";"
KEYS[3] outbox    stream
KEYS[4] waitlist  sorted set: user id by number
KEYS[5] places    hash: user id -> number,jti,orderNo,state

ARGV[1] epoch
ARGV[2…] field, value, …       fields: startsAt, endsAt (ms), paused, reservedOnly (0 or 1), limit, limits,
                              waitlist (0 or 1)

Replies
  unknown_sale
  stale_epoch
  configured
]]
--@include give-on
local call = redis.call
local epoch = call('HGET', KEYS[1], 'epoch')
if not epoch then return 'unknown_sale' end
if epoch ~= ARGV[1] then return 'stale_epoch' end
call('HSET', KEYS[1], unpack(ARGV, 2))
writeRules(KEYS[1])
giveOn(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], 1000)
return 'configured'
