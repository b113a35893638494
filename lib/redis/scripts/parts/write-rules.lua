-- "rules" repeats in one field what a purchase has to compare: startsAt endsAt limit epoch flags gate. The flags are five
-- digits: closed, paused, whether there are limits, whether only those who reserved may buy, and whether somebody waits for
-- units: then nobody else gets one.
local function writeRules(sale)
  local r = redis.call('HMGET', sale, 'startsAt', 'endsAt', 'limit', 'epoch', 'closed', 'paused', 'limits',
    'reservedOnly', 'gate', 'awaited')
  local flags = r[5] .. r[6] .. ((r[7] or '') == '' and '0' or '1') .. (r[8] or '0') .. (r[10] or '0')
  redis.call('HSET', sale, 'rules', table.concat({r[1], r[2], r[3], r[4], flags, r[9]}, ' '))
end
