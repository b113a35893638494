--[[
Drops a cached value after its source changed, and refuses what rebuilds that began earlier will bring.

KEYS[1] value     string with a TTL: the cached JSON
KEYS[2] fence     string: the last fencing token of the rebuild lock

Replies
  forgotten
]]
local call = redis.call
local now = call('TIME')
local last = tonumber(call('GET', KEYS[2]) or 0)
call('SET', KEYS[2], string.format('%.0f', math.max(last + 1, now[1] * 1000000 + now[2])))
call('DEL', KEYS[1])
return 'forgotten'
