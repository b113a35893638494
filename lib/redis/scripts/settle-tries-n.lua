--[[
Says how a claimed try ended.

KEYS[1] counters  those it was claimed with

ARGV[1] now       ms; empty: this server's clock
ARGV[2] asked     of each counter, as it was claimed
ARGV[3] outcomes  a letter for each counter: f a failure more, r one less and no wait, d forgotten, - as it is

Replies
  settled failures…   how many each counter has now
]]
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
--@include tries
local counters = readCounters(ARGV[2])
local tight = isTight(counters)
local counts = {}
for i, key in ipairs({unpack(KEYS, 1)}) do
  local counter, outcome = counters[i], string.sub(ARGV[3], i, i)
  local failures, at = load(key, counter)
  if outcome == 'f' then
    failures = failures + 1
    if counter.kind ~= 'g' then at = math.max(at, now + waitAfter(counter, failures, tight)) end
    save(key, counter, failures, at)
  elseif outcome == 'r' and failures > 1 then
    failures = failures - 1
    save(key, counter, failures, now)
  elseif outcome == 'd' or outcome == 'r' then
    failures = 0
    call('DEL', key)
  end
  counts[i] = string.format('%d', failures)
end
return 'settled ' .. table.concat(counts, ' ')
