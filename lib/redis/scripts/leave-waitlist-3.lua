--[[
Takes a user off those who wait for a unit. Leaving again changes nothing.

KEYS[1] sale      hash
KEYS[2] waitlist  sorted set: user id by variant and number (see parts/place.lua)
KEYS[3] places    hash: user id -> number,jti,orderNo,state, and the variant; "<user id> left" -> the number that was given up

ARGV[1] userId

Replies
  not_waiting
  left number
]]
--@include note-waiting
--@include place
local call = redis.call
local place = call('HGET', KEYS[3], ARGV[1])
if call('ZREM', KEYS[2], ARGV[1]) == 0 then return 'not_waiting' end
local number = parsePlace(place)
call('HDEL', KEYS[3], ARGV[1])
call('HSET', KEYS[3], ARGV[1] .. ' left', number)
if call('EXISTS', KEYS[1]) == 1 then noteWaiting(KEYS[1], KEYS[2]) end
return 'left ' .. number
