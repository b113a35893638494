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
--@include find-purchase
if state == 's' then return 'already_confirmed' end
if state == 'r' then return 'already_released' end

if isCorrupt or held < units then
  return redis.error_reply('STOCKCORRUPT ' .. sale)
end

call('HSET', sale, 'held', held - units, 'sold', sold + units)
call('HSET', buyers, userId, sub(record, 1, at - 1) .. 's' .. sub(record, at + 1))
return 'confirmed'
