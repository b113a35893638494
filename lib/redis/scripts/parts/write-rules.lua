-- Writes "rules", which repeats in one field what a purchase has to compare: startsAt endsAt limit epoch flags gate. The flags are
-- digits: closed, paused, has limits, only for reservations. More follow unless all are 0, since the release before does
-- not know them: a campaign limits people over its sales; people wait, so others get none, and by variant.
local function writeRules(sale)
  local r = redis.call('HMGET', sale, 'startsAt', 'endsAt', 'limit', 'epoch', 'closed', 'paused', 'limits',
    'reservedOnly', 'gate', 'shared', 'awaited')
  local shared, awaited = r[10] or '0', r[11] or '0'
  local flags = r[5] .. r[6] .. ((r[7] or '') == '' and '0' or '1') .. (r[8] or '0')
  if shared == '1' or awaited ~= '0' then flags = flags .. shared .. awaited end
  redis.call('HSET', sale, 'rules', table.concat({r[1], r[2], r[3], r[4], flags, r[9]}, ' '))
end
