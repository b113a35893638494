--[[
Takes a user off those who wait for a unit. Leaving again changes nothing.

KEYS[1] waitlist  sorted set: user id by number
KEYS[2] places    hash: user id -> number,jti,orderNo,state

ARGV[1] userId

Replies
  not_waiting
  left number
]]
local call = redis.call
local place = call('HGET', KEYS[2], ARGV[1])
if call('ZREM', KEYS[1], ARGV[1]) == 0 then return 'not_waiting' end
call('HDEL', KEYS[2], ARGV[1])
return 'left ' .. string.match(place, '^%d+')
