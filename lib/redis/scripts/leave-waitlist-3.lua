--[[
Takes a user off those who wait for a unit. Leaving again changes nothing, nor does a call that comes late, after the user has
joined again: it names an earlier place.

KEYS[1] sale      hash
KEYS[2] waitlist  sorted set: user id by number
KEYS[3] places    hash: user id -> number,jti,orderNo,state

ARGV[1] userId
ARGV[2] number    of the place

Replies
  not_waiting                  not at that place
  left number
]]
--@include note-waiting
local call = redis.call
if call('ZSCORE', KEYS[2], ARGV[1]) ~= ARGV[2] then return 'not_waiting' end
call('ZREM', KEYS[2], ARGV[1])
call('HDEL', KEYS[3], ARGV[1])
if call('EXISTS', KEYS[1]) == 1 then noteWaiting(KEYS[1], KEYS[2]) end
return 'left ' .. ARGV[2]
