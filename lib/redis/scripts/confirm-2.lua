--[[
Turns the units of one paid order from held into sold. Acts only while the buyer record says held, so a repeated or
late call changes nothing.

KEYS[1] sale      hash
KEYS[2] buyers    hash: user id -> jti,orderNo,units,state joined by ";"

ARGV[1] userId
ARGV[2] orderNo, decimal digits only

Replies
  unknown_sale
  unknown_order
  already_confirmed
  already_released
  confirmed
Errors
  STOCKCORRUPT                 the tiers don't add up
]]
--@include order-in-record
--@include parse-tiers
local call = redis.call
local sale, buyers, userId, orderNo = KEYS[1], KEYS[2], ARGV[1], ARGV[2]

local info = call('HMGET', sale, 'epoch', 'total', 'available', 'held', 'sold')
if not info[1] then return 'unknown_sale' end
local record = call('HGET', buyers, userId)
if not record then return 'unknown_order' end
local at, units, state = findOrder(record, orderNo)
if not at then return 'unknown_order' end
if state == 's' then return 'already_confirmed' end
if state == 'r' then return 'already_released' end

local total, available, held, sold, isCorrupt = parseTiers(info)
if isCorrupt or held < units then
  return redis.error_reply('STOCKCORRUPT ' .. sale)
end

call('HSET', sale, 'held', string.format('%d', held - units), 'sold', string.format('%d', sold + units))
call('HSET', buyers, userId, withState(record, at, 's'))
return 'confirmed'
