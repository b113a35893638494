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
local call = redis.call
local sale, buyers, userId, fence = KEYS[1], KEYS[2], ARGV[5], ARGV[1]

local info = call('HMGET', sale, 'rules', 'total', 'available', 'held', 'sold', 'fence')
if tonumber(info[6] or 0) > tonumber(fence) then return 'fenced' end
local time = call('TIME')
local acceptedAt = time[1] .. string.sub('00000' .. time[2], -6, -4)
if tonumber(acceptedAt) >= tonumber(ARGV[2]) then return 'too_late' end

local record = call('HGET', buyers, userId) or ''
if not info[1] or table.concat(info, '|', 1, 5) ~= ARGV[3] or record ~= ARGV[4] then return 'changed' end

call('HSET', sale, 'available', ARGV[10], 'held', ARGV[11], 'soldOutAt', acceptedAt, 'fence', fence)
local purchase = table.concat({ARGV[6], ARGV[7], ARGV[8], 'h'}, ',')
call('HSET', buyers, userId, record == '' and purchase or (record .. ';' .. purchase))
call('XADD', KEYS[3], '*', 'orderNo', ARGV[7], 'userId', userId, 'quantity', ARGV[8], 'jti', ARGV[6],
  'epoch', ARGV[9], 'acceptedAt', acceptedAt)
return 'written ' .. acceptedAt
