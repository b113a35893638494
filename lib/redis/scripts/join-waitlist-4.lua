--[[
Puts a user at the end of those who wait for a unit, of one variant where the sale has some, if the user may still buy one and
none is for sale. Joining again answers the same place, whatever variant the call names.

KEYS[1] sale      hash; "waitlist" is 1 where the sale has one, 0 where nobody joins any more; "lastPlace" the last number
KEYS[2] buyers    hash: user id -> jti,orderNo,units,state joined by ";"
KEYS[3] waitlist  sorted set: user id by variant and number (see parts/place.lua)
KEYS[4] places    hash: user id -> number,jti,orderNo,state, and the variant

ARGV[1] epoch
ARGV[2] userId
ARGV[3] jti       of the entry token; the purchase's, once a unit comes
ARGV[4] orderNo   the order's number, once a unit comes
ARGV[5] cap       most who may wait
ARGV[6] variant   the one that is wished; 0 = the sale has none

Replies
  unknown_sale
  stale_epoch
  no_waitlist
  ended
  not_started
  closed
  available units              nobody waits: buy instead
  already_bought               the user has as many units as one person may have
  too_often                    the user's record is full (20 purchases)
  token_used                   a purchase was made with this token
  full
  waiting number jti orderNo variant ahead   these are of the first call
  joined number jti orderNo variant ahead
]]
--@include buyer-record
--@include note-waiting
--@include now-ms
--@include parse-rules
--@include place
--@include put-place
local call = redis.call
local userId, jti, variant = ARGV[2], ARGV[3], tonumber(ARGV[6])

local info = call('HMGET', KEYS[1], 'rules', 'waitlist', 'available', 'lastPlace', 'variants')
local epoch, _, limit, _, hasStarted, hasEnded = parseRules(info[1], nowMs())
if not epoch then return 'unknown_sale' end
if epoch ~= ARGV[1] then return 'stale_epoch' end
if (info[2] or '') == '' then return 'no_waitlist' end

local function told(place)
  local number, itsJti, itsOrderNo, itsVariant = parsePlace(place)
  local ahead = call('ZRANK', KEYS[3], userId)
  if itsVariant > 0 then
    ahead = ahead - call('ZCOUNT', KEYS[3], '-inf', string.format('(%.0f', itsVariant * OF_VARIANT))
  end
  return table.concat({number, itsJti, itsOrderNo, itsVariant, ahead}, ' ')
end
if call('ZSCORE', KEYS[3], userId) then return 'waiting ' .. told(call('HGET', KEYS[4], userId)) end

if hasEnded then return 'ended' end
if not hasStarted then return 'not_started' end
if info[2] ~= '1' then return 'closed' end
local live, isFull, _, isKnown = sumPurchases(call('HGET', KEYS[2], userId), jti)
if isKnown then return 'token_used' end
if live >= limit then return 'already_bought' end
if isFull then return 'too_often' end
local left, all = tonumber(info[3]), call('ZCARD', KEYS[3])
local before = all
if (info[5] or '') ~= '' then
--@include variants
  local variants = parseVariants(info[5], left)
  left = tonumber(variants and variants[variant] or 0)
  local from = variant * OF_VARIANT
  before = call('ZCOUNT', KEYS[3], string.format('%.0f', from), string.format('(%.0f', from + OF_VARIANT))
end
if before == 0 and left > 0 then return 'available ' .. string.format('%d', left) end
if all >= tonumber(ARGV[5]) then return 'full' end

local number = string.format('%d', tonumber(info[4] or 0) + 1)
call('HSET', KEYS[1], 'lastPlace', number)
local place = putPlace(KEYS[3], KEYS[4], userId, number, jti, ARGV[4], variant)
if before == 0 then noteWaiting(KEYS[1], KEYS[3]) end
return 'joined ' .. told(place)
