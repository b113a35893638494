--[[
Gives units that are for sale to the first who wait for one, or passes them over, up to a number that keeps the script short.

KEYS[1] sale      hash
KEYS[2] buyers    hash: user id -> jti,orderNo,units,state joined by ";"
KEYS[3] outbox    stream
KEYS[4] waitlist  sorted set: user id by variant and number (see parts/place.lua)
KEYS[5] places    hash: user id -> number,jti,orderNo,state, and the variant

ARGV[1] epoch
ARGV[2…] person   "userId orderNo mayBuy" of the first who wait for each variant, in their order; mayBuy is 1, or why not

Replies
  unknown_sale
  stale_epoch
  served given passed          how many got a unit, and how many were passed over
]]
--@include give-on
local epoch, kind = unpack(redis.call('HMGET', KEYS[1], 'epoch', 'waitlist'))
if not epoch then return 'unknown_sale' end
if epoch ~= ARGV[1] then return 'stale_epoch' end
if (kind or '') == '' then return 'served 0 0' end
local given, passed = giveOn({unpack(ARGV, 2)}, KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
return 'served ' .. string.format('%d', given) .. ' ' .. string.format('%d', passed)
