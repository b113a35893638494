--[[
Ends a parcel that has left a slice: it has come to where it should, or it never left as far as Postgres knows, and its
units go back on sale here. A repeated call changes nothing.

KEYS[1] sale      hash; "given" is the number of the last parcel that left, "sent" its units until it has ended

ARGV[1] number    of the parcel
ARGV[2] 1 = its units go back on sale, 0 = they are elsewhere

Replies
  unknown_sale
  already_ended
  ended
Errors
  STOCKCORRUPT                 the tiers don't add up
]]
--@include parse-tiers
local call, format = redis.call, string.format
local sale = KEYS[1]
local info = call('HMGET', sale, 'epoch', 'total', 'available', 'held', 'sold', 'given', 'sent')
if not info[1] then return 'unknown_sale' end
local sent = tonumber(info[7] or 0)
if tonumber(info[6] or 0) ~= tonumber(ARGV[1]) or sent == 0 then return 'already_ended' end

if ARGV[2] == '1' then
  local total, available, held, sold, isCorrupt = parseTiers(info)
  if isCorrupt then return redis.error_reply('STOCKCORRUPT ' .. sale) end
  call('HSET', sale, 'total', format('%d', total + sent), 'available', format('%d', available + sent))
end
call('HSET', sale, 'sent', '0')
return 'ended'
