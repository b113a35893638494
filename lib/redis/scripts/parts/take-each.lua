--@include limit-state
local call = redis.call
local limit, windowMs = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- By key; read and written once, however often the key is given: a crowd behind one address is one key.
local states, counted = {}, {}

local function decide(key)
  local s = states[key] or readState(call('GET', key), letter)
  states[key] = s
  local waitMs = take(s, limit, windowMs, now)
  if waitMs > 0 then return 'refused ' .. waitMs end
  counted[key] = true
  return 'admitted'
end

local replies = {decide(KEYS[1])}
for at = 2, #KEYS do replies[at] = decide(KEYS[at]) end
-- After at most two windows any of the algorithms knows as much as if nothing had been counted.
for key in pairs(counted) do call('SET', key, stateText(states[key], letter), 'PX', 2 * windowMs) end
return table.concat(replies, '\n')
