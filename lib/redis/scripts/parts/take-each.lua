--@include limit-state
local call = redis.call
local limit, windowMs = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function decide(key)
  local s = readState(call('GET', key), letter)
  local waitMs = take(s, limit, windowMs, now)
  if waitMs > 0 then return 'refused ' .. waitMs end
  -- After at most two windows any of the algorithms knows as much as if nothing had been counted.
  call('SET', key, stateText(s, letter), 'PX', 2 * windowMs)
  return 'admitted'
end

local replies = {decide(KEYS[1])}
for at = 2, #KEYS do replies[at] = decide(KEYS[at]) end
return table.concat(replies, '\n')
