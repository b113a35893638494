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
--@include count-attempt
--@include now-ms
local call = redis.call
local found = {}
for i, text in ipairs(call('MGET', unpack(KEYS, 1))) do found[KEYS[i]] = text end
local counts = startCounts(readPolicies(ARGV[1]), nowMs(), found)

local replies = {}
for at = 2, #ARGV, 4 do
  local refused = countAttempt(counts, {
    KEYS[tonumber(ARGV[at])], KEYS[tonumber(ARGV[at + 1])], KEYS[tonumber(ARGV[at + 2])], KEYS[tonumber(ARGV[at + 3])],
  })
  replies[#replies + 1] = refused or 'admitted'
end
-- After at most two windows every algorithm answers as if nothing had been counted.
settleAll(counts)
for name, policy in pairs(counts.counted) do
  call('SET', name, stateText(counts.states[name], policy.letter), 'PX', 2 * policy.windowMs)
end
return table.concat(replies, '\n')
