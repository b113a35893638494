-- Reads a sale's limits and counts an attempt by them. `now`, in ms, stands before the line that includes this.
--@include fixed-window
--@include sliding-window
--@include token-bucket
--@include leaky-bucket
--@include limit-state
local TAKE = {f = fixedWindow, s = slidingWindow, t = tokenBucket, l = leakyBucket}

-- Returns the limits of user, interface, address and, only if it is limited, device, in this order; false = not
-- limited.
local function readPolicies(text)
  local policies = {}
  for letter, limit, windowMs in string.gmatch(text, '(%S+) (%S+) (%S+)') do
    local policy = {letter = letter, take = TAKE[letter], limit = tonumber(limit), windowMs = tonumber(windowMs)}
    policies[#policies + 1] = letter ~= '-' and policy
  end
  return policies
end

local function scopeOf(at)
  local scope = at == 1 and 'user' or at == 2 and 'interface' or at == 3 and 'ip' or 'device'
  return scope
end

-- By name, of a user, an address, a device or all together: what was found, as text; the same as numbers; and by which policy it has
-- been counted.
local found, states, counted = {}, {}, {}
-- By name, of an address, a device or all together. Many attempts of a call share them, and time stands still in a script:
-- room is asked for once, and the `calls` are counted together.
local tallies = {}
-- By the number of their scope, those that count the present attempt.
local shared = {}

local function stateOf(policy, name)
  local s = states[name]
  if not s then
    s = readState(found[name], policy.letter)
    states[name] = s
  end
  return s
end

local function tallyOf(policy, name)
  local tally = tallies[name]
  if not tally then
    local room = policy.take(stateOf(policy, name), policy.limit, policy.windowMs, now, 0)
    tally = {policy = policy, room = room, calls = 0}
    tallies[name] = tally
  end
  return tally
end

local function settle(name, tally)
  if tally.calls == 0 then return end
  local policy = tally.policy
  policy.take(states[name], policy.limit, policy.windowMs, now, tally.calls)
  tally.calls = 0
  counted[name] = policy
end

-- Counts an attempt by each limit that it has a name for, or by none if one refuses it: a refused user spends nothing
-- of what others at the address, or all together, still have. `names` stand in the order of the policies; false or nil
-- = does not count. Returns nil = let through, or the refusal with the longest wait.
local function countAttempt(policies, names)
  local user, last = names[1], #policies
  local ofUser, waitMs, hasRoom = user and policies[1], 0, true
  for at = 2, last do
    local tally = names[at] and policies[at] and tallyOf(policies[at], names[at])
    shared[at] = tally
    if tally and tally.room == 0 then hasRoom = false end
  end
  if ofUser then
    local _
    _, waitMs = ofUser.take(stateOf(ofUser, user), ofUser.limit, ofUser.windowMs, now, hasRoom and 1 or 0)
  end
  if hasRoom and waitMs == 0 then
    if ofUser then counted[user] = ofUser end
    for at = 2, last do
      local tally = shared[at]
      if tally then tally.room, tally.calls = tally.room - 1, tally.calls + 1 end
    end
    return nil
  end

  local scope, policy = 1, ofUser
  for at = 2, last do
    local tally = shared[at]
    if tally and tally.room == 0 then
      settle(names[at], tally)
      local its = tally.policy
      local _, itsMs = its.take(states[names[at]], its.limit, its.windowMs, now, 0)
      if itsMs > waitMs then scope, policy, waitMs = at, its, itsMs end
    end
  end
  return table.concat({'rate_limited', scopeOf(scope), policy.limit, policy.windowMs, waitMs}, ' ')
end

-- Call it before writing `states` of those that are `counted`.
local function settleAll()
  for name, tally in pairs(tallies) do settle(name, tally) end
end
