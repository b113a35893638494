--[[
Puts the units of a parcel on sale in a slice, once: parcels come to a slice in the order of their numbers.

KEYS[1] sale      hash; "taken" is the number of the last parcel that came, or that a load has counted in

ARGV[1] number    of the parcel
ARGV[2] units     an integer from 1

Replies
  unknown_sale
  already_taken
  taken
Errors
  STOCKCORRUPT                 the tiers don't add up
]]
--@include parse-tiers
local call, format = redis.call, string.format
local sale = KEYS[1]
local info = call('HMGET', sale, 'epoch', 'total', 'available', 'held', 'sold', 'taken')
if not info[1] then return 'unknown_sale' end
if tonumber(info[6] or 0) >= tonumber(ARGV[1]) then return 'already_taken' end

local total, available, held, sold, isCorrupt = parseTiers(info)
if isCorrupt or total == -1 then return redis.error_reply('STOCKCORRUPT ' .. sale) end
local units = tonumber(ARGV[2])
call('HSET', sale, 'total', format('%d', total + units), 'available', format('%d', available + units), 'taken', ARGV[1])
return 'taken'
