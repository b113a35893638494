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
--@include raise-sold-out-at
--@include allowance-of
local call, sub = redis.call, string.sub
local sale, buyers, userId, orderNo = KEYS[1], KEYS[2], ARGV[1], ARGV[2]

local info = call('HMGET', sale, 'epoch', 'total', 'available', 'held', 'sold', 'limit', 'shared')
if not info[1] then return 'unknown_sale' end
local record = call('HGET', buyers, userId) or ''
local _, at, units, state = string.find(record, ',' .. orderNo .. ',(%d+),([hsr])')
-- A call whose answer got lost has taken them: the caller goes by the moment of this one.
if state == 's' or state == ARGV[5] then raiseSoldOutAt(sale, ARGV[6]) end
if state == 's' then return 'already_confirmed' end
if state == 'h' and ARGV[5] == 'h' then return 'already_held' end

units = tonumber(units or ARGV[4])
--@include tiers
if isCorrupt then
  return redis.error_reply('STOCKCORRUPT ' .. sale)
end

if state == 'h' then
  held = held - units
else
  local live = 0
  for theirs, its in string.gmatch(record, ',(%d+),([hsr])') do
    if its ~= 'r' then live = live + theirs end
  end
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

if at then
  record = sub(record, 1, at - 1) .. ARGV[5] .. sub(record, at + 1)
else
  record = (record ~= '' and record .. ';' or '') .. ARGV[3] .. ',' .. orderNo .. ',' .. units .. ',' .. ARGV[5]
end
call('HSET', buyers, userId, record)
return 'retaken'
