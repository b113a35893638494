--[[
Brings a user's reservation from Postgres, unless Redis holds a later change of it. The latest change counts, in whatever
order and however often changes come. Writes no message: Postgres has it.

KEYS[1] reserved      hash: user id -> when, ms
KEYS[2] unreserved    hash: user id -> when cancelled, ms

ARGV[1] userId
ARGV[2] reservedAt    ms
ARGV[3] cancelledAt   ms, or empty: the reservation stands

Replies
  known                        this change, or a later one, was here
  put
]]
local call = redis.call
local userId, reservedAt, cancelledAt = ARGV[1], ARGV[2], ARGV[3]
local isStanding = cancelledAt == ''

local last = call('HGET', KEYS[1], userId) or call('HGET', KEYS[2], userId)
if last and tonumber(last) >= tonumber(isStanding and reservedAt or cancelledAt) then return 'known' end
if isStanding then
  call('HSET', KEYS[1], userId, reservedAt)
  call('HDEL', KEYS[2], userId)
else
  call('HDEL', KEYS[1], userId)
  call('HSET', KEYS[2], userId, cancelledAt)
end
return 'put'
