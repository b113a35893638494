--@include count-attempt
local INTERFACE = ':interface'

-- Begins to count purchases by their sale's limits, with two commands for all. `purchases` are a script's arguments from
-- the second, each "gate userId …"; `keys` its keys, from `first` those of addresses and devices; hash `limits` has the rest.
local function startSaleCounts(policyText, now, limits, purchases, keys, first)
  local policies, found, fields = readPolicies(policyText), {}, {INTERFACE}
  if policies[1] then
    for at = 2, #purchases do fields[at] = string.match(purchases[at], '^%S* (%S+)') end
  end
  for i, text in ipairs(redis.call('HMGET', limits, unpack(fields))) do found[fields[i]] = text end
  if (policies[3] or policies[4]) and keys[first] then
    for i, text in ipairs(redis.call('MGET', unpack(keys, first))) do found[keys[first + i - 1]] = text end
  end
  return startCounts(policies, now, found)
end

-- Counts a purchase; address and device are the numbers of their keys. Returns nil = let through, or the refusal.
local function countPurchase(counts, keys, userId, address, device)
  return countAttempt(counts, {userId, INTERFACE, keys[tonumber(address)], keys[tonumber(device)]})
end

-- Writes what has been counted: users and interface into hash `limits`, which expires with the sale.
local function writeSaleCounts(counts, limits, endsAt)
  local _, _, ofAddress, ofDevice = unpack(counts.policies, 1, 4)
  local written = {}
  settleAll(counts)
  for name, policy in pairs(counts.counted) do
    local text = stateText(counts.states[name], policy.letter)
    if policy == ofAddress or policy == ofDevice then
      redis.call('SET', name, text, 'PX', 2 * policy.windowMs)
    else
      written[#written + 1] = name
      written[#written + 1] = text
    end
  end
  if #written == 0 then return end
  redis.call('HSET', limits, unpack(written))
  redis.call('PEXPIREAT', limits, endsAt)
end
