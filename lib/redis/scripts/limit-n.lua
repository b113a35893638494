--[[
Counts attempts by the limits of one sale, one after the other. All limits that apply to an attempt count it or, if one
refuses it, none does.

KEYS[1] counts    string and so is every further one: what has been counted for one user, address, device or interface; each
                  given once, goes by itself

ARGV[1] limits    algorithm limit windowMs of the user's, the interface's, the address's and, perhaps, the device's; - = none
ARGV[2] user      the number of its key, 0 = does not count; this and the next three once for each attempt
ARGV[3] interface
ARGV[4] address
ARGV[5] device

Replies, one for each attempt, a line each
  admitted
  rate_limited scope limit windowMs waitMs   scope user, interface, ip or device; not counted; after that time one would be let through
]]
local call = redis.call
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
--@include count-attempt
local policies = readPolicies(ARGV[1])
for i, text in ipairs(call('MGET', unpack(KEYS, 1))) do found[KEYS[i]] = text end

local names = {}
local function decide(at)
  names[1], names[2] = KEYS[tonumber(ARGV[at])], KEYS[tonumber(ARGV[at + 1])]
  names[3], names[4] = KEYS[tonumber(ARGV[at + 2])], KEYS[tonumber(ARGV[at + 3])]
  local refused = countAttempt(policies, names)
  if refused then return refused end
  return 'admitted'
end

local replies = {}
for at = 2, #ARGV, 4 do replies[#replies + 1] = decide(at) end
-- After at most two windows every algorithm answers as if nothing had been counted.
settleAll()
for name, policy in pairs(counted) do
  call('SET', name, stateText(states[name], policy.letter), 'PX', 2 * policy.windowMs)
end
return table.concat(replies, '\n')
