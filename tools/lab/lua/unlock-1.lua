--[[
Releases a lock, for its owner only.

KEYS[1] lock   string: the owner's token
ARGV[1] token

Replies
  1  released
  0  held by somebody else, or by nobody
]]
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
