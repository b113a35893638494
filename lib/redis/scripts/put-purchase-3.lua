--[[
Writes a purchase that the holder of the sale's lock has decided, in one step: stock, buyer and order message. It decides
nothing itself. It refuses a decision of a late holder, one that comes too late, and one whose reading has changed since.

KEYS[1] sale      hash; "fence" is the highest fencing token that has written
KEYS[2] buyers    hash: user id -> jti,orderNo,units,state joined by ";"
KEYS[3] outbox    stream

ARGV[1] fence     of the lock
ARGV[2] deadline  ms by Redis's clock: the holder's lock, or the sale, ends then
ARGV[3] seen      rules total available held sold, joined by "|", as the holder read them
ARGV[4] record    of the buyer as the holder read it; empty = none
ARGV[5] userId
ARGV[6] bought    jti,orderNo,units
ARGV[7] epoch
ARGV[8] available  after the purchase
ARGV[9] held       after the purchase

Replies
  fenced                       a later holder has written
  too_late
  changed                      read again, decide again
  written acceptedAt           ms
]]
--@include buyer-record
--@include now-ms
--@include write-purchase
local call = redis.call
local sale, buyers, fence, seen = KEYS[1], KEYS[2], ARGV[1], ARGV[3]
local userId, bought = ARGV[5], ARGV[6]

local info = call('HMGET', sale, 'rules', 'total', 'available', 'held', 'sold', 'fence')
if tonumber(info[6] or 0) > tonumber(fence) then return 'fenced' end
local now = nowMs()
if now >= tonumber(ARGV[2]) then return 'too_late' end

local record = call('HGET', buyers, userId) or ''
if not info[1] or table.concat(info, '|', 1, 5) ~= seen or record ~= ARGV[4] then return 'changed' end

local acceptedAt = string.format('%d', now)
call('HSET', sale, 'available', ARGV[8], 'held', ARGV[9], 'soldOutAt', acceptedAt, 'fence', fence)
local purchase = {userId, string.match(bought, '^([^,]+),(%d+),(%d+)')}
writePurchase(buyers, KEYS[3], withPurchase(record, bought, 'h'), purchase, ARGV[7], acceptedAt)
return 'written ' .. acceptedAt
