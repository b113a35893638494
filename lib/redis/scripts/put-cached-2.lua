--[[
Stores a rebuilt cache value unless its source changed, or somebody else began a rebuild, since this one began.

KEYS[1] value     string with a TTL: the cached JSON
KEYS[2] fence     string: the last fencing token of the rebuild lock

ARGV[1] fence of the writer
ARGV[2] ttlSec
ARGV[3] JSON

Replies
  stored
  outdated
]]
local call = redis.call
if call('GET', KEYS[2]) ~= ARGV[1] then return 'outdated' end
call('SET', KEYS[1], ARGV[3], 'EX', ARGV[2])
return 'stored'
