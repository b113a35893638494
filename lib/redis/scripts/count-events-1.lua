--[[
Counts events of one subject within a sliding window of 60 equal parts: an event is forgotten when its part has left
the window, so at most a window and never more than that is counted.

KEYS[1] counter   hash: part since 1970 -> events; expires with the window

ARGV[1] windowMs  from 60
ARGV[2] events    how many to add, from 1
ARGV[3] now       ms; empty: this server's clock

Replies
  counted events   within the window, these included
]]
--@include now-ms
local counter, partMs, added = KEYS[1], tonumber(ARGV[1]) / 60, tonumber(ARGV[2])
local now = tonumber(ARGV[3]) or nowMs()
local part = math.floor(now / partMs)
local events, old = added, {}
local parts = redis.call('HGETALL', counter)
for i = 1, #parts, 2 do
  if tonumber(parts[i]) > part - 60 then
    events = events + parts[i + 1]
  else
    old[#old + 1] = parts[i]
  end
end
if #old > 0 then redis.call('HDEL', counter, unpack(old)) end
redis.call('HINCRBY', counter, string.format('%d', part), added)
redis.call('PEXPIRE', counter, math.ceil(partMs * 61))
return 'counted ' .. string.format('%d', events)
