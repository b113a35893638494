--[[
Takes units again for a purchase that was released, or that a rebuild forgot, if they are free: to held or sold. Units that
are held need not be free to be sold. A repeated call changes nothing.

KEYS[1] sale      hash; "retaken" counts the units that this took from those for sale since the sale was loaded
KEYS[2] buyers    hash: user id -> jti,orderNo,units,state joined by ";"
KEYS[3] allowances  hash: user id -> "units number"; asked only where a campaign has a limit

ARGV[1] userId
ARGV[2] orderNo, decimal digits only
ARGV[3] bought    jti,orderNo,units, and the variant where the sale has some
ARGV[4] h = they are to be held, s = they are to be sold
ARGV[5] takenAt   ms: the moment they count as taken

Replies
  unknown_sale
  already_held
  already_confirmed
  over_limit                   with these units the user would have more than the limit, or than the campaign's leaves
  sold_out
  retaken
Errors
  STOCKCORRUPT                 the tiers, or the variants, don't add up
]]
--@include allowance-of
--@include buyer-record
--@include order-in-record
--@include parse-tiers
--@include raise-sold-out-at
--@include variants
local call = redis.call
local sale, buyers, userId, orderNo = KEYS[1], KEYS[2], ARGV[1], ARGV[2]

local info = call('HMGET', sale, 'epoch', 'total', 'available', 'held', 'sold', 'limit', 'shared', 'variants')
if not info[1] then return 'unknown_sale' end
local record = call('HGET', buyers, userId) or ''
local at, units, state, variant = findOrder(record, orderNo)
-- A call whose answer got lost has taken them: the caller goes by the moment of this one.
if state == 's' or state == ARGV[4] then raiseSoldOutAt(sale, ARGV[5]) end
if state == 's' then return 'already_confirmed' end
if state == 'h' and ARGV[4] == 'h' then return 'already_held' end

if not at then
  local _
  _, units, _, variant = findOrder(withPurchase(nil, ARGV[3], 'h'), orderNo)
end
local total, available, held, sold, isCorrupt = parseTiers(info)
local variants = parseVariants(info[8], available, variant)
if isCorrupt or variants == nil then
  return redis.error_reply('STOCKCORRUPT ' .. sale)
end

if state == 'h' then
  held = held - units
else
  local live = sumPurchases(record)
  if live + units > tonumber(info[6]) then return 'over_limit' end
  if info[7] == '1' and live + units > allowanceOf(KEYS[3], userId) then return 'over_limit' end
  if total ~= -1 then
    if available < units or variants and tonumber(variants[variant]) < units then return 'sold_out' end
    available = available - units
    if variants then variants[variant] = variants[variant] - units end
  end
  call('HINCRBY', sale, 'retaken', units)
end
if ARGV[4] == 's' then sold = sold + units else held = held + units end
call('HSET', sale, 'available', available, 'held', held, 'sold', sold)
if variants then writeVariants(sale, variants) end
raiseSoldOutAt(sale, ARGV[5])

record = at and withState(record, at, ARGV[4]) or withPurchase(record, ARGV[3], ARGV[4])
call('HSET', buyers, userId, record)
return 'retaken'
