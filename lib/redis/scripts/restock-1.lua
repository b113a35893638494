--[[
Adds units to a sale's stock, or takes unsold ones away. While people wait for units, no purchase gets these. The last 8
request ids are remembered: a repeated request changes nothing.

KEYS[1] sale      hash

ARGV[1] epoch
ARGV[2] delta, an integer other than 0
ARGV[3] requestId
ARGV[4] takenAt   ms: the moment units are taken away, counted as when a unit was last taken
ARGV[5] variant   whose units these are; 0 = the sale has none

Replies
  unknown_sale
  stale_epoch
  already_restocked total available held sold
  unlimited
  below_committed available    fewer units are left, of the variant where the sale has some, than should be taken away
  restocked total available held sold
Errors
  STOCKCORRUPT                 the tiers, or the variants, don't add up
]]
--@include parse-tiers
--@include raise-sold-out-at
--@include variants
local call = redis.call
local sale, requestId = KEYS[1], ARGV[3]
local REMEMBERED = 8

local info = call('HMGET', sale, 'epoch', 'total', 'available', 'held', 'sold', 'restockIds', 'variants')
if not info[1] then return 'unknown_sale' end
if info[1] ~= ARGV[1] then return 'stale_epoch' end

local delta = tonumber(ARGV[2])
local recent = {}
for seen in string.gmatch(info[6] or '', '[^;]+') do
  if seen == requestId then
    -- A call whose commit failed has taken them: the caller goes by the moment of this one.
    if delta < 0 then raiseSoldOutAt(sale, ARGV[4]) end
    return table.concat({'already_restocked', info[2], info[3], info[4], info[5]}, ' ')
  end
  recent[#recent + 1] = seen
end

local total, available, held, sold, isCorrupt = parseTiers(info)
if total == -1 then return 'unlimited' end
local variant = tonumber(ARGV[5])
local variants = parseVariants(info[7], available, variant)
if isCorrupt or variants == nil then
  return redis.error_reply('STOCKCORRUPT ' .. sale)
end
local left = tonumber(variants and variants[variant] or available)
if left + delta < 0 then return 'below_committed ' .. string.format('%d', left) end

total, available = total + delta, available + delta
if #recent >= REMEMBERED then table.remove(recent, 1) end
recent[#recent + 1] = requestId
call('HSET', sale, 'total', total, 'available', available, 'restockIds', table.concat(recent, ';'))
if variants then
  variants[variant] = left + delta
  writeVariants(sale, variants)
end
if delta < 0 then raiseSoldOutAt(sale, ARGV[4]) end
return table.concat({'restocked', total, available, info[4], info[5]}, ' ')
