--[[
Takes one unit from a stock that is a single number.

KEYS[1] stock   string: units left

Replies
  n ≥ 0  taken, n units are left
  -1     sold out
]]
local stock = tonumber(redis.call('GET', KEYS[1]) or '0')
if stock <= 0 then return -1 end
return redis.call('DECR', KEYS[1])
