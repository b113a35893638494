--[[
Takes units that are for sale out of a slice, as a parcel for another slice or out of the sale. One parcel of a slice is
under way at a time. A repeated call changes nothing.

KEYS[1] sale      hash; "given" is the number of the last parcel that left, "sent" its units until it has ended

ARGV[1] epoch
ARGV[2] number    of the parcel, higher than those of all earlier ones of the sale
ARGV[3] units     at most so many, an integer from 1
ARGV[4] takenAt   ms: the units leave the sale, counted as when a unit was last taken; empty = they stay in it

Replies
  unknown_sale
  stale_epoch
  moved                        loaded by another server, or before this one was started: it may be an older copy
  late                         a later parcel has left, or this one has ended
  under_way number units       an earlier parcel has not ended
  none                         no units are for sale
  given units
Errors
  STOCKCORRUPT                 the tiers don't add up
]]
--@include parse-tiers
--@include raise-sold-out-at
local call, format = redis.call, string.format
local sale, number = KEYS[1], tonumber(ARGV[2])
local info = call('HMGET', sale, 'epoch', 'total', 'available', 'held', 'sold', 'given', 'sent', 'server')
if not info[1] then return 'unknown_sale' end
if info[1] ~= ARGV[1] then return 'stale_epoch' end
if info[8] ~= string.match(call('INFO', 'server'), 'run_id:(%x+)') then return 'moved' end
local given, sent = tonumber(info[6] or 0), tonumber(info[7] or 0)
if given == number and sent > 0 then return 'given ' .. format('%d', sent) end
if given >= number then return 'late' end
if sent > 0 then return 'under_way ' .. format('%d %d', given, sent) end

local total, available, held, sold, isCorrupt = parseTiers(info)
if isCorrupt or total == -1 then return redis.error_reply('STOCKCORRUPT ' .. sale) end
local units = math.min(available, tonumber(ARGV[3]))
if units == 0 then return 'none' end
call('HSET', sale, 'total', format('%d', total - units), 'available', format('%d', available - units),
  'given', ARGV[2], 'sent', format('%d', units))
if ARGV[4] ~= '' then raiseSoldOutAt(sale, ARGV[4]) end
return 'given ' .. format('%d', units)
