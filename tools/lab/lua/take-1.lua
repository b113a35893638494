--[[
Takes units from a stock that is kept as a total and a taken count in one hash.

KEYS[1] stock   hash: total, taken
ARGV[1] units

Replies
  n ≥ 0  taken, n units are left
  -1     not that many are left, or the sale is unknown
]]
local stock = redis.call('HMGET', KEYS[1], 'total', 'taken')
local total, taken, units = tonumber(stock[1]), tonumber(stock[2]), tonumber(ARGV[1])
if not total or not taken or taken + units > total then return -1 end
return total - redis.call('HINCRBY', KEYS[1], 'taken', units)
