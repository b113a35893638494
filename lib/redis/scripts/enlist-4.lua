--[[
Puts many users at the end of those who wait for a unit, in the given order, also before the sale starts and where
nobody may join. A user who waits keeps the place. A user who has a unit, had one or was passed over by that order
number is left alone.

KEYS[1] sale      hash; as in join-waitlist-4.lua
KEYS[2] buyers    hash: user id -> jti,orderNo,units,state joined by ";"
KEYS[3] waitlist  sorted set: user id by variant and number (see parts/place.lua)
KEYS[4] places    hash: user id -> number,jti,orderNo,state, and the variant

ARGV[1] epoch
ARGV[2] person    "userId jti orderNo variant", once for each, at most 1,000; variant 0 = the sale has none

Replies
  unknown_sale
  stale_epoch
  no_waitlist
  enlisted place …             of each person: number,jti,orderNo,w, and the variant; - = left alone
]]
--@include note-waiting
--@include put-place
local call, format = redis.call, string.format
local sale, buyers, waitlist, places = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local info = call('HMGET', sale, 'epoch', 'waitlist', 'lastPlace')
if not info[1] then return 'unknown_sale' end
if info[1] ~= ARGV[1] then return 'stale_epoch' end
if (info[2] or '') == '' then return 'no_waitlist' end

local number, answers = tonumber(info[3] or 0), {}
for at = 2, #ARGV do
  local userId, jti, orderNo, variant = string.match(ARGV[at], '^(%S+) (%S+) (%d+) (%d+)$')
  local known = call('HGET', places, userId) or ''
  local place = call('ZSCORE', waitlist, userId) and known
  local isOver = string.find(known, ',' .. orderNo .. ',', 1, true)
    or string.find(call('HGET', buyers, userId) or '', ',' .. orderNo .. ',', 1, true)
  if not place and isOver then
    place = '-'
  elseif not place then
    number = number + 1
    place = putPlace(waitlist, places, userId, format('%d', number), jti, orderNo, tonumber(variant))
  end
  answers[at - 1] = place
end
call('HSET', sale, 'lastPlace', format('%d', number))
noteWaiting(sale, waitlist)
return 'enlisted ' .. table.concat(answers, ' ')
