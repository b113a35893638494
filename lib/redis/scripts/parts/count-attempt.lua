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

-- Begins to count a call's attempts. By name (a user, an address, a device or all together): `found`, what was counted
-- before, as text; `states`, the same as numbers; `counted`, the policy that counts it now; `tallies`, where attempts of a
-- call share a name: time stands still in a script, so they are counted together.
local function startCounts(policies, now, found)
  return {policies = policies, now = now, found = found, states = {}, counted = {}, tallies = {}, shared = {}}
end

-- Returns the state by which a policy counts a name.
local function stateOf(counts, policy, name)
  local s = counts.states[name]
  if not s then
    s = readState(counts.found[name], policy.letter)
    counts.states[name] = s
  end
  return s
end

-- Returns the tally of a name that attempts share.
local function tallyOf(counts, policy, name)
  local tally = counts.tallies[name]
  if not tally then
    local room = policy.take(stateOf(counts, policy, name), policy.limit, policy.windowMs, counts.now, 0)
    tally = {policy = policy, room = room, calls = 0}
    counts.tallies[name] = tally
  end
  return tally
end

-- Counts the calls of a tally.
local function settle(counts, name, tally)
  if tally.calls == 0 then return end
  local policy = tally.policy
  policy.take(counts.states[name], policy.limit, policy.windowMs, counts.now, tally.calls)
  tally.calls = 0
  counts.counted[name] = policy
end

-- Returns the refusal with the longest wait, of an attempt for which a limit has no room; `waitMs` is the user's own.
local function refuseAttempt(counts, names, waitMs)
  local scopes, scope, policy = {'user', 'interface', 'ip', 'device'}, 1, counts.policies[1]
  for at = 2, #counts.policies do
    local tally = counts.shared[at]
    if tally and tally.room == 0 then
      settle(counts, names[at], tally)
      local its = tally.policy
      local _, itsMs = its.take(counts.states[names[at]], its.limit, its.windowMs, counts.now, 0)
      if itsMs > waitMs then scope, policy, waitMs = at, its, itsMs end
    end
  end
  return table.concat({'rate_limited', scopes[scope], policy.limit, policy.windowMs, waitMs}, ' ')
end

-- Counts an attempt by each limit that it has a name for, or by none if one refuses it: a refused user spends nothing
-- of what others at the address, or all together, still have. `names` stand in the order of the policies; false or nil
-- = does not count. Returns nil = let through, or the refusal with the longest wait.
local function countAttempt(counts, names)
  local policies, shared, user = counts.policies, counts.shared, names[1]
  local ofUser, waitMs, hasRoom = user and policies[1], 0, true
  for at = 2, #policies do
    local tally = names[at] and policies[at] and tallyOf(counts, policies[at], names[at])
    shared[at] = tally
    if tally and tally.room == 0 then hasRoom = false end
  end
  if ofUser then
    local _
    _, waitMs = ofUser.take(stateOf(counts, ofUser, user), ofUser.limit, ofUser.windowMs, counts.now, hasRoom and 1 or 0)
  end
  if not hasRoom or waitMs > 0 then return refuseAttempt(counts, names, waitMs) end
  if ofUser then counts.counted[user] = ofUser end
  for at = 2, #policies do
    local tally = shared[at]
    if tally then tally.room, tally.calls = tally.room - 1, tally.calls + 1 end
  end
  return nil
end

-- Counts what attempts of the call still share. Call it before you write the `states` of those that are `counted`.
local function settleAll(counts)
  for name, tally in pairs(counts.tallies) do settle(counts, name, tally) end
end
