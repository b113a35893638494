-- Gives units that are for sale to those who wait for one, in their order, each as an accepted purchase: what the purchase
-- script writes. Gives nothing while nobody may buy. Whoever may not have another unit by now is passed over. A place is
-- number,jti,orderNo,state: w waits, g got a unit, p was passed over.
-- Returns how many units it gave. Whoever is left waits: no unit is for sale then, or `most` were given. "serveFrom" is from
-- when on units are given, ms.
--@include note-waiting
local function giveOn(sale, buyers, outbox, waitlist, places, most)
  local info = redis.call('HMGET', sale, 'waitlist', 'rules', 'serveFrom', 'available', 'held')
  if (info[1] or '') == '' then return 0 end
  noteWaiting(sale, waitlist)
  local available, held = tonumber(info[4]), tonumber(info[5])
  local startsAt, endsAt, limit, epoch, flags = string.match(info[2], '^(%d+) (%d+) (%d+) (%d+) (%d+)')
  local time = redis.call('TIME')
  local acceptedAt = time[1] .. string.sub('00000' .. time[2], -6, -4)
  local now = tonumber(acceptedAt)
  if now < tonumber(startsAt) or now >= tonumber(endsAt) or string.find(flags, '^1') or string.find(flags, '^.1')
    or now < tonumber(info[3] or 0) then return 0 end
  limit = tonumber(limit)

  local given = 0
  while given < most and available > 0 do
    local userId = redis.call('ZPOPMIN', waitlist)[1]
    if not userId then break end
    local number, jti, orderNo = string.match(redis.call('HGET', places, userId) or '', '^(%d+),([^,]+),(%d+)')
    local record = redis.call('HGET', buyers, userId)
    local live, purchases = 0, 0
    for seenJti, units, state in string.gmatch(record or '', '([^,;]+),%d+,(%d+),([hsr])') do
      purchases = purchases + 1
      if state ~= 'r' then live = live + units end
      if seenJti == jti then live = limit end
    end
    local state = 'p'
    if number and live < limit and purchases < 20 then
      state = 'g'
      available, held, given = available - 1, held + 1, given + 1
      local bought = jti .. ',' .. orderNo .. ',1,h'
      redis.call('HSET', buyers, userId, record and (record .. ';' .. bought) or bought)
      redis.call('XADD', outbox, '*', 'orderNo', orderNo, 'userId', userId, 'quantity', '1', 'jti', jti, 'epoch', epoch,
        'acceptedAt', acceptedAt)
    end
    if number then redis.call('HSET', places, userId, table.concat({number, jti, orderNo, state}, ',')) end
  end
  if given > 0 then
    redis.call('HSET', sale, 'available', string.format('%d', available), 'held', string.format('%d', held), 'soldOutAt',
      acceptedAt)
  end
  noteWaiting(sale, waitlist)
  return given
end
