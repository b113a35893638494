--[[
Takes back the units of an order that was refunded, or ended unpaid although Redis still counts them: held or sold to available, or to those who wait for one in the same step, or out of
the total where they are written off.
Acts only while the buyer record says held or sold, so a repeated call changes nothing.

KEYS[1] sale      hash
KEYS[2] buyers    hash: user id -> jti,orderNo,units,state joined by ";"
KEYS[3] outbox    stream
KEYS[4] waitlist  sorted set: user id by variant and number (see parts/place.lua)
KEYS[5] places    hash: user id -> number,jti,orderNo,state, and the variant

ARGV[1] userId
ARGV[2] orderNo, decimal digits only
ARGV[3] 1 = the units can be bought again, 0 = they are written off
ARGV[4…] person   "userId orderNo mayBuy" of the first who wait for each variant, in their order; mayBuy is 1, or why not

Replies
  unknown_sale
  unknown_order
  already_released
  taken_back isAwaited          1 = units are left that others wait for, 0 = none are
Errors
  STOCKCORRUPT                 the tiers, or the variants, don't add up
]]
--@include order-in-record
--@include parse-tiers
--@include variants
local call = redis.call
local sale, buyers, userId, orderNo = KEYS[1], KEYS[2], ARGV[1], ARGV[2]

local info = call('HMGET', sale, 'epoch', 'total', 'available', 'held', 'sold', 'waitlist', 'variants')
if not info[1] then return 'unknown_sale' end
local record = call('HGET', buyers, userId)
if not record then return 'unknown_order' end
local at, units, state, variant = findOrder(record, orderNo)
if not at then return 'unknown_order' end
if state == 'r' then return 'already_released' end

local total, available, held, sold, isCorrupt = parseTiers(info)
local variants = parseVariants(info[7], available, variant)
if isCorrupt or variants == nil or (state == 'h' and held < units) or (state == 's' and sold < units) then
  return redis.error_reply('STOCKCORRUPT ' .. sale)
end

if state == 'h' then
  call('HSET', sale, 'held', held - units)
else
  call('HSET', sale, 'sold', sold - units)
end
if total ~= -1 and ARGV[3] == '1' then
  call('HSET', sale, 'available', available + units)
elseif total ~= -1 then
  call('HSET', sale, 'total', total - units)
end
if variants and ARGV[3] == '1' then
  variants[variant] = variants[variant] + units
  writeVariants(sale, variants)
end
call('HSET', buyers, userId, withState(record, at, 'r'))
local isAwaited = '0'
if (info[6] or '') ~= '' then
--@include give-on
  local _
  _, _, isAwaited = giveOn({unpack(ARGV, 4)}, sale, buyers, KEYS[3], KEYS[4], KEYS[5])
end
return 'taken_back ' .. isAwaited
