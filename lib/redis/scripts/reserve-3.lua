--[[
Reserves: remembers the user and records the message for Postgres, in one step. Reserving again answers the first
reservation, also after the window. Each change of a user is later than the one before, so a reader of both knows which counts.

KEYS[1] reserved      hash: user id -> when, ms
KEYS[2] unreserved    hash: user id -> when cancelled, ms
KEYS[3] reservations  stream

ARGV[1] userId
ARGV[2] opensAt       ms
ARGV[3] closesAt      ms
ARGV[4] cap           most messages that may wait

Replies
  already_reserved reservedAt
  not_open
  closed
  backlogged                   too many messages wait for Postgres
  reserved reservedAt
]]
--@include now-ms
local call = redis.call
local userId = ARGV[1]

local standing = call('HGET', KEYS[1], userId)
if standing then return 'already_reserved ' .. standing end
local now = nowMs()
if now < tonumber(ARGV[2]) then return 'not_open' end
if now >= tonumber(ARGV[3]) then return 'closed' end
if call('XLEN', KEYS[3]) >= tonumber(ARGV[4]) then return 'backlogged' end

local cancelledAt = tonumber(call('HGET', KEYS[2], userId) or 0)
local reservedAt = string.format('%d', math.max(now, cancelledAt + 1))
call('HSET', KEYS[1], userId, reservedAt)
call('HDEL', KEYS[2], userId)
call('XADD', KEYS[3], '*', 'userId', userId, 'reservedAt', reservedAt)
return 'reserved ' .. reservedAt
