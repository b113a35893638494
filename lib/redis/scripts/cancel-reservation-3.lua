--[[
Cancels a reservation and records the message for Postgres, in one step. Cancelling again changes nothing.

KEYS[1] reserved      hash: user id -> when, ms
KEYS[2] unreserved    hash: user id -> when cancelled, ms
KEYS[3] reservations  stream

ARGV[1] userId
ARGV[2] closesAt      ms

Replies
  already_cancelled cancelledAt
  not_reserved
  closed
  cancelled cancelledAt
]]
--@include now-ms
local call = redis.call
local userId = ARGV[1]

local reservedAt = call('HGET', KEYS[1], userId)
if not reservedAt then
  local cancelledAt = call('HGET', KEYS[2], userId)
  if not cancelledAt then return 'not_reserved' end
  return 'already_cancelled ' .. cancelledAt
end
local now = nowMs()
if now >= tonumber(ARGV[2]) then return 'closed' end

local cancelledAt = string.format('%d', math.max(now, reservedAt + 1))
call('HDEL', KEYS[1], userId)
call('HSET', KEYS[2], userId, cancelledAt)
call('XADD', KEYS[3], '*', 'userId', userId, 'reservedAt', reservedAt, 'cancelledAt', cancelledAt)
return 'cancelled ' .. cancelledAt
