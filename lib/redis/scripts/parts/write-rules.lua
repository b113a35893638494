-- "rules" repeats in one field what a purchase has to compare: startsAt endsAt limit epoch flags gate. The flags are four
-- digits: closed, paused, whether there are limits, and whether only those who reserved may buy; a fifth, 1, where a campaign
-- limits what a person may have over all its sales: the release before reads four.
local function writeRules(sale)
  local r = redis.call('HMGET', sale, 'startsAt', 'endsAt', 'limit', 'epoch', 'closed', 'paused', 'limits',
    'reservedOnly', 'gate', 'shared')
  local flags = r[5] .. r[6] .. ((r[7] or '') == '' and '0' or '1') .. (r[8] or '0') .. (r[10] == '1' and '1' or '')
  redis.call('HSET', sale, 'rules', table.concat({r[1], r[2], r[3], r[4], flags, r[9]}, ' '))
end
