-- The address's limit, then the user's and the interface's: of these two each attempt is counted by both or by neither.
-- Sets `refusal` and `writeCounts`.
--@include fixed-window
--@include sliding-window
--@include token-bucket
--@include leaky-bucket
--@include limit-state
local TAKE = {f = fixedWindow, s = slidingWindow, t = tokenBucket, l = leakyBucket}
local policies = {}
for letter, limit, windowMs in string.gmatch(info[6], '(%S+) (%S+) (%S+)') do
  local policy = {letter = letter, take = TAKE[letter], limit = tonumber(limit), windowMs = tonumber(windowMs)}
  policies[#policies + 1] = letter ~= '-' and policy
end
local ofUser, ofInterface, ofAddress = policies[1], policies[2], policies[3]

-- By user id, ":interface" or the address's key; `found` is read in two commands.
local found, states, counted = {}, {}, {}
local fields = {':interface'}
if ofUser then
  for at = 2, #ARGV, 6 do fields[#fields + 1] = ARGV[at + 1] end
end
for i, text in ipairs(call('HMGET', KEYS[4], unpack(fields))) do found[fields[i]] = text end
if ofAddress and #KEYS > 5 then
  for i, text in ipairs(call('MGET', unpack(KEYS, 6))) do found[KEYS[i + 5]] = text end
end

local function take(scope, policy, name)
  local s = states[name]
  if not s then
    s = readState(found[name], policy.letter)
    states[name] = s
  end
  local waitMs = policy.take(s, policy.limit, policy.windowMs, now)
  if waitMs > 0 then return table.concat({'rate_limited', scope, policy.limit, policy.windowMs, waitMs}, ' ') end
  counted[name] = policy
  return nil
end

refusal = function(userId, address)
  local refused = ofAddress and address and take('ip', ofAddress, address)
  if refused then return refused end
  local before = counted[userId] and {unpack(states[userId])}
  refused = ofUser and take('user', ofUser, userId)
  if refused or not ofInterface then return refused end
  refused = take('interface', ofInterface, ':interface')
  -- A full house is not the user's fault.
  if refused then states[userId], counted[userId] = before, before and ofUser end
  return refused
end

writeCounts = function()
  local pairsOf = {}
  for name, policy in pairs(counted) do
    local text = stateText(states[name], policy.letter)
    if policy == ofAddress then
      call('SET', name, text, 'PX', 2 * policy.windowMs)
    else
      pairsOf[#pairsOf + 1] = name
      pairsOf[#pairsOf + 1] = text
    end
  end
  if #pairsOf == 0 then return end
  call('HSET', KEYS[4], unpack(pairsOf))
  call('PEXPIREAT', KEYS[4], endsAt)
end
