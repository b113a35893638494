--[[
Takes the units of a refunded order back: held or sold to available, or out of the total where they are written off.
Acts only while the buyer record says held or sold, so a repeated call changes nothing.

KEYS[1] sale      hash
KEYS[2] buyers    hash: user id -> jti,orderNo,units,state joined by ";"

ARGV[1] userId
ARGV[2] orderNo, decimal digits only
ARGV[3] 1 = the units can be bought again, 0 = they are written off

Replies
  unknown_sale
  unknown_order
  already_released
  taken_back
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

units = tonumber(units)
local total, available, held, sold = tonumber(info[2]), tonumber(info[3]), tonumber(info[4]), tonumber(info[5])
if not (total and available and held and sold) or held < 0 or sold < 0
  or (state == 'h' and held < units) or (state == 's' and sold < units)
  or (total == -1 and available ~= -1)
  or (total ~= -1 and (available < 0 or available + held + sold ~= total)) then
  return redis.error_reply('STOCKCORRUPT ' .. sale)
end

if state == 'h' then
  call('HSET', sale, 'held', held - units)
else
  call('HSET', sale, 'sold', sold - units)
end
if total ~= -1 and ARGV[3] == '1' then
  call('HSET', sale, 'available', available + units, 'soldOutAt', '')
elseif total ~= -1 then
  call('HSET', sale, 'total', total - units)
end
call('HSET', buyers, userId, sub(record, 1, at - 1) .. 'r' .. sub(record, at + 1))
return 'taken_back'
