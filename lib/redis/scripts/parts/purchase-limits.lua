-- Sets `refusal` and `writeCounts`.
--@include count-attempt
local policies = readPolicies(info[6])
local ofUser, ofAddress = policies[1], policies[3]

-- Two commands for all.
local fields = {':interface'}
if ofUser then
  for at = 2, #ARGV do fields[at] = match(ARGV[at], '^%S* (%S+)') end
end
for i, text in ipairs(call('HMGET', limits, unpack(fields))) do found[fields[i]] = text end
if ofAddress and #KEYS > 6 then
  for i, text in ipairs(call('MGET', select(4, unpack(KEYS, 4)))) do found[KEYS[i + 6]] = text end
end

refusal = function(userId, address) return countAttempt(policies, userId, ':interface', KEYS[tonumber(address)]) end

writeCounts = function()
  local pairsOf = {}
  settleAll()
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
  call('HSET', limits, unpack(pairsOf))
  call('PEXPIREAT', limits, endsAt)
end
