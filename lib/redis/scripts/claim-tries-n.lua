--[[
Asks all counters whether something may be tried, such as a password; all of them count it or none does. Counters that
count ahead take a try for a failure until it is settled, so that tries at the same time don't all find the same room.

KEYS[1] counters  strings, and so is every further one; each goes by itself

ARGV[1] now       ms; empty: this server's clock
ARGV[2] asked     of each counter, a line each: kind free tight baseMs maxMs keepMs
                  a counts ahead; l ahead only when its free tries are used up, else when settled; g is a gauge: from `free`
                  failures within keepMs on, `tight` tries are free at the others

Replies
  wait waitMs place   the counter at that place wants the longest wait; nothing was counted
  go charged          1 for each counter that took it for a failure, 0 for the others
]]
--@include now-ms
--@include tries
local now = tonumber(ARGV[1]) or nowMs()
local counters = readCounters(ARGV[2])
local tight = isTight(KEYS, counters, now)
local longest, place, states = 0, 0, {}
for i, key in ipairs({unpack(KEYS, 1)}) do
  local failures, at = readTries(key, counters[i], now)
  states[i] = failures
  if counters[i].kind ~= 'g' and at - now > longest then longest, place = at - now, i end
end
if longest > 0 then return 'wait ' .. string.format('%d %d', longest, place) end

local charged = {}
for i, counter in ipairs(counters) do
  local failures = states[i] + 1
  local waitMs = waitAfter(counter, failures, tight)
  if counter.kind == 'a' or (counter.kind == 'l' and waitMs > 0) then
    writeTries(KEYS[i], counter, failures, now + waitMs, now)
    charged[i] = '1'
  else
    charged[i] = '0'
  end
end
return 'go ' .. table.concat(charged)
