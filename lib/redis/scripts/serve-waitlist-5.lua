--[[
Gives units that are for sale to those who wait for one, up to a number that keeps the script short.

KEYS[1] sale      hash
KEYS[2] buyers    hash: user id -> jti,orderNo,units,state joined by ";"
KEYS[3] outbox    stream
KEYS[4] waitlist  sorted set: user id by number
KEYS[5] places    hash: user id -> number,jti,orderNo,state

ARGV[1] epoch
ARGV[2] most      units to give

Replies
  unknown_sale
  stale_epoch
  served given
]]
--@include give-on
local epoch = redis.call('HGET', KEYS[1], 'epoch')
if not epoch then return 'unknown_sale' end
if epoch ~= ARGV[1] then return 'stale_epoch' end
return 'served ' .. string.format('%d', giveOn(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], tonumber(ARGV[2])))
