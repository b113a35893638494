-- Gives units for sale to those who wait for one, in their order, each as an accepted purchase. `people`: "userId
-- orderNo mayBuy" of the first; mayBuy is 1 or the reason why not (0 from the release before). Returns how many got a
-- unit, how many were passed over, and '1' if units are left that others want, else '0'.
--@include note-waiting
local function giveOn(people, sale, buyers, outbox, waitlist, places)
  local call, match, format = redis.call, string.match, string.format
  local info = call('HMGET', sale, 'waitlist', 'rules', 'serveFrom', 'available', 'held')
  if (info[1] or '') == '' then return 0, 0, '0' end
  noteWaiting(sale, waitlist)
  local available, held = tonumber(info[4]), tonumber(info[5])
  local startsAt, endsAt, limit, epoch, flags = match(info[2], '^(%d+) (%d+) (%d+) (%d+) (%d+)')
  local time = call('TIME')
  local acceptedAt = time[1] .. string.sub('00000' .. time[2], -6, -4)
  local now = tonumber(acceptedAt)
  if now < tonumber(startsAt) or now >= tonumber(endsAt) or match(flags, '^1') or match(flags, '^.1')
    or now < tonumber(info[3] or 0) then return 0, 0, '0' end
  limit = tonumber(limit)

  local given, passed = 0, 0
  for _, person in ipairs(people) do
    if available <= 0 then break end
    local userId, seenOrderNo, mayBuy = match(person, '^(%S+) (%d+) (%S+)$')
    -- A place is number,jti,orderNo,state: w waits, g got a unit, p was passed over, for the reason in "userId why".
    local number, jti, orderNo = match(call('HGET', places, userId) or '', '^(%d+),([^,]+),(%d+)')
    if orderNo == seenOrderNo and call('ZREM', waitlist, userId) == 1 then
      local record = call('HGET', buyers, userId)
      local live, purchases = 0, 0
      for seenJti, units, state in string.gmatch(record or '', '([^,;]+),%d+,(%d+),([hsr])') do
        purchases = purchases + 1
        if state ~= 'r' then live = live + units end
        if seenJti == jti then live = limit end
      end
      local state = 'p'
      if mayBuy == '1' and live < limit and purchases < 20 then
        state = 'g'
        available, held, given = available - 1, held + 1, given + 1
        local bought = jti .. ',' .. orderNo .. ',1,h'
        call('HSET', buyers, userId, record and (record .. ';' .. bought) or bought)
        call('XADD', outbox, '*', 'orderNo', orderNo, 'userId', userId, 'quantity', '1', 'jti', jti, 'epoch', epoch,
          'acceptedAt', acceptedAt)
      else
        local why = mayBuy == '1' and 'limit_reached' or mayBuy == '0' and 'not_recorded' or mayBuy
        call('HSET', places, userId .. ' why', why)
        passed = passed + 1
      end
      call('HSET', places, userId, table.concat({number, jti, orderNo, state}, ','))
    end
  end
  if given > 0 then
    call('HSET', sale, 'available', format('%d', available), 'held', format('%d', held), 'soldOutAt', acceptedAt)
  end
  noteWaiting(sale, waitlist)
  return given, passed, available > 0 and call('EXISTS', waitlist) == 1 and '1' or '0'
end
