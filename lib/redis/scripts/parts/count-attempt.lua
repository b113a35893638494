-- What a sale limits, and the counting of an attempt by it. `now`, in ms, stands before the line that includes this.
--@include fixed-window
--@include sliding-window
--@include token-bucket
--@include leaky-bucket
--@include limit-state
local TAKE = {f = fixedWindow, s = slidingWindow, t = tokenBucket, l = leakyBucket}

-- Of user, interface and address in this order; false = not limited.
local function readPolicies(text)
  local policies = {}
  for letter, limit, windowMs in string.gmatch(text, '(%S+) (%S+) (%S+)') do
    local policy = {letter = letter, take = TAKE[letter], limit = tonumber(limit), windowMs = tonumber(windowMs)}
    policies[#policies + 1] = letter ~= '-' and policy
  end
  return policies
end

-- By name, of a user, an address or all together: what was found, as text; the same as numbers; and by which policy it has
-- been counted.
local found, states, counted = {}, {}, {}
-- By name, of an address or all together. Many attempts of a call share them, and time stands still in a script: room is
-- asked for once, and the `calls` are counted together.
local tallies = {}

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

-- Counts an attempt by each limit that it has a name for, or by none of them if one refuses it: a user who is refused spends
-- nothing that others at the same address, or all together, still have. Returns nil = let through, or the refusal
-- that makes it wait longest: after that time all would let it through.
local function countAttempt(policies, user, interface, address)
  local ofUser, waitMs = user and policies[1], 0
  local ofAll = interface and policies[2] and tallyOf(policies[2], interface)
  local ofAddress = address and policies[3] and tallyOf(policies[3], address)
  local hasRoom = not (ofAll and ofAll.room == 0) and not (ofAddress and ofAddress.room == 0)
  if ofUser then
    local _
    _, waitMs = ofUser.take(stateOf(ofUser, user), ofUser.limit, ofUser.windowMs, now, hasRoom and 1 or 0)
  end
  if hasRoom and waitMs == 0 then
    if ofUser then counted[user] = ofUser end
    if ofAll then ofAll.room, ofAll.calls = ofAll.room - 1, ofAll.calls + 1 end
    if ofAddress then ofAddress.room, ofAddress.calls = ofAddress.room - 1, ofAddress.calls + 1 end
    return nil
  end

  local scope, policy = 'user', ofUser
  local function compare(other, name, tally)
    if not tally or tally.room > 0 then return end
    settle(name, tally)
    local its = tally.policy
    local _, itsMs = its.take(states[name], its.limit, its.windowMs, now, 0)
    if itsMs > waitMs then scope, policy, waitMs = other, its, itsMs end
  end
  compare('interface', interface, ofAll)
  compare('ip', address, ofAddress)
  return table.concat({'rate_limited', scope, policy.limit, policy.windowMs, waitMs}, ' ')
end

-- Call it before writing `states` of those that are `counted`.
local function settleAll()
  for name, tally in pairs(tallies) do settle(name, tally) end
end
