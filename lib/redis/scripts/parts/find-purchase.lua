-- One purchase in the record of its buyer: its units, its state, and the place of that in the record.
local call, sub = redis.call, string.sub
local sale, buyers, userId, orderNo = KEYS[1], KEYS[2], ARGV[1], ARGV[2]

local info = call('HMGET', sale, 'epoch', 'total', 'available', 'held', 'sold')
if not info[1] then return 'unknown_sale' end
local record = call('HGET', buyers, userId)
if not record then return 'unknown_order' end
local _, at, units, state = string.find(record, ',' .. orderNo .. ',(%d+),([hsr])')
if not at then return 'unknown_order' end
units = tonumber(units)
--@include tiers
