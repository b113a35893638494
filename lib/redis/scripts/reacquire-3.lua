--[[
Takes units again for a purchase that was released, or that a rebuild forgot, if they are free: to held or sold. Units that
are held need not be free to be sold. A repeated call changes nothing.

KEYS[1] sale      hash; "retaken" counts the units that this took from those for sale since the sale was loaded
KEYS[2] buyers    hash: user id -> jti,orderNo,units,state joined by ";"
KEYS[3] allowances  hash: user id -> "units number"; asked only where a campaign has a limit

ARGV[1] userId
ARGV[2] orderNo, decimal digits only
ARGV[3] jti
ARGV[4] units, an integer from 1
ARGV[5] h = they are to be held, s = they are to be sold
ARGV[6] takenAt   ms: the moment they count as taken

Replies
  unknown_sale
  already_held
  already_confirmed
  over_limit                   with these units the user would have more than the limit, or than the campaign's leaves
  sold_out
  retaken
Errors
  STOCKCORRUPT                 the tiers don't add up
]]
--@include allowance-of
--@include buyer-record
--@include order-in-record
--@include parse-tiers
--@include raise-sold-out-at
local call = redis.call
local sale, buyers, userId, orderNo = KEYS[1], KEYS[2], ARGV[1], ARGV[2]

local info = call('HMGET', sale, 'epoch', 'total', 'available', 'held', 'sold', 'limit', 'shared')
if not info[1] then return 'unknown_sale' end
local record = call('HGET', buyers, userId) or ''
local at, units, state = findOrder(record, orderNo)
-- A call whose answer got lost has taken them: the caller goes by the moment of this one.
if state == 's' or state == ARGV[5] then raiseSoldOutAt(sale, ARGV[6]) end
if state == 's' then return 'already_confirmed' end
if state == 'h' and ARGV[5] == 'h' then return 'already_held' end

units = units or tonumber(ARGV[4])
local total, available, held, sold, isCorrupt = parseTiers(info)
if isCorrupt then
  return redis.error_reply('STOCKCORRUPT ' .. sale)
end

if state == 'h' then
  held = held - units
else
  local live = sumPurchases(record)
  if live + units > tonumber(info[6]) then return 'over_limit' end
  if info[7] == '1' and live + units > allowanceOf(KEYS[3], userId) then return 'over_limit' end
  if total ~= -1 then
    if available < units then return 'sold_out' end
    available = available - units
  end
  call('HINCRBY', sale, 'retaken', units)
end
if ARGV[5] == 's' then sold = sold + units else held = held + units end
call('HSET', sale, 'available', available, 'held', held, 'sold', sold)
raiseSoldOutAt(sale, ARGV[6])

record = at and withState(record, at, ARGV[5]) or withPurchase(record, ARGV[3] .. ',' .. orderNo .. ',' .. units, ARGV[5])
call('HSET', buyers, userId, record)
return 'retaken'
