--[[
Says how a claimed try ended.

KEYS[1] counters  those it was claimed with

ARGV[1] now       ms; empty: this server's clock
ARGV[2] asked     of each counter, as it was claimed
ARGV[3] outcomes  a letter for each counter: f a failure more, r one less and no wait, d forgotten, - as it is

Replies
  settled failures…   how many each counter has now
]]
--@include now-ms
--@include tries
local now = tonumber(ARGV[1]) or nowMs()
local counters = readCounters(ARGV[2])
local tight = isTight(KEYS, counters, now)
local counts = {}
for i, key in ipairs({unpack(KEYS, 1)}) do
  local counter, outcome = counters[i], string.sub(ARGV[3], i, i)
  local failures, at = readTries(key, counter, now)
  if outcome == 'f' then
    failures = failures + 1
    if counter.kind ~= 'g' then at = math.max(at, now + waitAfter(counter, failures, tight)) end
    writeTries(key, counter, failures, at, now)
  elseif outcome == 'r' and failures > 1 then
    failures = failures - 1
    writeTries(key, counter, failures, now, now)
  elseif outcome == 'd' or outcome == 'r' then
    failures = 0
    redis.call('DEL', key)
  end
  counts[i] = string.format('%d', failures)
end
return 'settled ' .. table.concat(counts, ' ')
