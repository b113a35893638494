--[[
Gives the units of one unpaid order back: held to available. Acts only while the buyer record says held, so a repeated
or late call changes nothing.

KEYS[1] sale      hash
KEYS[2] buyers    hash: user id -> jti,orderNo,units,state joined by ";"

ARGV[1] userId
ARGV[2] orderNo, decimal digits only

Replies
  unknown_sale
  unknown_order
  already_released
  already_confirmed
  released
Errors
  STOCKCORRUPT                 the tiers don't add up
]]
local call, sub = redis.call, string.sub
local sale, buyers, userId, orderNo = KEYS[1], KEYS[2], ARGV[1], ARGV[2]

local info = call('HMGET', sale, 'epoch', 'total', 'available', 'held', 'sold')
if not info[1] then return 'unknown_sale' end
local record = call('HGET', buyers, userId)
if not record then return 'unknown_order' end
local _, at, units, state = string.find(record, ',' .. orderNo .. ',(%d+),([hsr])')
if not at then return 'unknown_order' end
if state == 'r' then return 'already_released' end
if state == 's' then return 'already_confirmed' end

units = tonumber(units)
local total, available, held, sold = tonumber(info[2]), tonumber(info[3]), tonumber(info[4]), tonumber(info[5])
if not (total and available and held and sold) or held < units or sold < 0
  or (total == -1 and available ~= -1)
  or (total ~= -1 and (available < 0 or available + held + sold ~= total)) then
  return redis.error_reply('STOCKCORRUPT ' .. sale)
end

if total == -1 then
  call('HSET', sale, 'held', held - units)
else
  call('HSET', sale, 'available', available + units, 'held', held - units, 'soldOutAt', '')
end
call('HSET', buyers, userId, sub(record, 1, at - 1) .. 'r' .. sub(record, at + 1))
return 'released'
