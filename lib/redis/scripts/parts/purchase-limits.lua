-- Sets `refusal` and `writeCounts`.
--@include count-attempt
local policies = readPolicies(info[6])
local ofUser, ofAddress, ofDevice = policies[1], policies[3], policies[4]

-- Two commands for all.
local fields = {':interface'}
if ofUser then
  for at = 2, #ARGV do fields[at] = match(ARGV[at], '^%S* (%S+)') end
end
for i, text in ipairs(call('HMGET', limits, unpack(fields))) do found[fields[i]] = text end
if (ofAddress or ofDevice) and #KEYS > ownKeys then
  for i, text in ipairs(call('MGET', unpack(KEYS, ownKeys + 1))) do found[KEYS[i + ownKeys]] = text end
end

local names = {false, ':interface'}
refusal = function(userId, address, device)
  names[1], names[3], names[4] = userId, KEYS[tonumber(address)], KEYS[tonumber(device)]
  return countAttempt(policies, names)
end

writeCounts = function()
  local pairsOf = {}
  settleAll()
  for name, policy in pairs(counted) do
    local text = stateText(states[name], policy.letter)
    if policy == ofAddress or policy == ofDevice then
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
