--[[
Gives the holder of a lock its fencing token: higher than any before it, as long as it still holds the lock.
A counter that was lost starts again from the clock, so it does not fall below tokens given before.

KEYS[1] holder    string with a TTL: who holds the lock
KEYS[2] fence     string: the last token

ARGV[1] owner
ARGV[2] atLeast   0 = take the next token; else raise the last token to this (second round over several nodes)

Replies
  not_held
  issued fence
]]
local call = redis.call
if call('GET', KEYS[1]) ~= ARGV[1] then return 'not_held' end
local last = tonumber(call('GET', KEYS[2]) or 0)
local fence = math.max(last, tonumber(ARGV[2]))
if ARGV[2] == '0' then
  local now = call('TIME')
  fence = math.max(last + 1, now[1] * 1000000 + now[2])
end
local text = string.format('%.0f', fence)
call('SET', KEYS[2], text)
return 'issued ' .. text
