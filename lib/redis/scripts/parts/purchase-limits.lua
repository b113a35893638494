-- The user's limit, then the interface's, each attempt counted by both or by neither. Sets `refusal` and `writeCounts`.
--@include fixed-window
--@include sliding-window
--@include token-bucket
--@include leaky-bucket
--@include limit-state
local TAKE = {f = fixedWindow, s = slidingWindow, t = tokenBucket, l = leakyBucket}
local ofUser, userLimit, userWindowMs, ofInterface, interfaceLimit, interfaceWindowMs =
  string.match(call('HGET', sale, 'limits'), '^([-fstl]) (%d+) (%d+) ([-fstl]) (%d+) (%d+)$')
local states, counted = {}, {}

local function take(scope, field, letter, limit, windowMs)
  local s = states[field] or readState(call('HGET', KEYS[4], field), letter)
  states[field] = s
  local waitMs = TAKE[letter](s, tonumber(limit), tonumber(windowMs), now)
  if waitMs > 0 then return table.concat({'rate_limited', scope, limit, windowMs, waitMs}, ' ') end
  counted[field] = letter
  return nil
end

refusal = function(userId)
  if ofUser == '-' then return take('interface', ':interface', ofInterface, interfaceLimit, interfaceWindowMs) end
  local text, letter = states[userId] and stateText(states[userId], ofUser), counted[userId]
  local refused = take('user', userId, ofUser, userLimit, userWindowMs)
  if refused or ofInterface == '-' then return refused end
  refused = take('interface', ':interface', ofInterface, interfaceLimit, interfaceWindowMs)
  -- A full house is not the user's fault.
  if refused then states[userId], counted[userId] = text and readState(text, ofUser), letter end
  return refused
end

writeCounts = function()
  local fields = {}
  for field, letter in pairs(counted) do
    fields[#fields + 1] = field
    fields[#fields + 1] = stateText(states[field], letter)
  end
  if #fields == 0 then return end
  call('HSET', KEYS[4], unpack(fields))
  call('PEXPIREAT', KEYS[4], endsAt)
end
