--[[
Gives back a part of a worker number, and lowers the last moment it may have used to the one it really used, so that the
next holder need not run ahead of the clock.

KEYS[1] worker    string with a TTL: "parts count since" while parts of the number are leased
KEYS[2] parts     hash: part -> its holder, the end of its lease and the last moment it may have used, both ms

ARGV[1] owner
ARGV[2] latest moment used, ms
ARGV[3] part

Replies
  lost                         it ran out or someone else has it
  released
]]
local call = redis.call
local owner = string.match(call('HGET', KEYS[2], ARGV[3]) or '', '^(%S+) ')
if owner ~= ARGV[1] or not string.match(call('GET', KEYS[1]) or '', '^parts ') then return 'lost' end
call('HSET', KEYS[2], ARGV[3], string.format('- 0 %.0f', tonumber(ARGV[2])))
return 'released'
