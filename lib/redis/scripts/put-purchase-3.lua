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
ARGV[6] jti
ARGV[7] orderNo
ARGV[8] quantity
ARGV[9] epoch
ARGV[10] available  after the purchase
ARGV[11] held       after the purchase

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
local userId, jti, orderNo, units = ARGV[5], ARGV[6], ARGV[7], ARGV[8]

local info = call('HMGET', sale, 'rules', 'total', 'available', 'held', 'sold', 'fence')
if tonumber(info[6] or 0) > tonumber(fence) then return 'fenced' end
local now = nowMs()
if now >= tonumber(ARGV[2]) then return 'too_late' end

local record = call('HGET', buyers, userId) or ''
if not info[1] or table.concat(info, '|', 1, 5) ~= seen or record ~= ARGV[4] then return 'changed' end

local acceptedAt = string.format('%d', now)
call('HSET', sale, 'available', ARGV[10], 'held', ARGV[11], 'soldOutAt', acceptedAt, 'fence', fence)
record = withPurchase(record, jti, orderNo, units, 'h')
writePurchase(buyers, KEYS[3], userId, record, jti, orderNo, units, ARGV[9], acceptedAt)
return 'written ' .. acceptedAt
