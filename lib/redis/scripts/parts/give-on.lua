--@include buyer-record
--@include note-waiting
--@include now-ms
--@include parse-rules
--@include write-purchase
--@include write-taken
-- Gives units for sale to those on a sale's waitlist, in their order, each as an accepted purchase. `people`: "userId
-- orderNo mayBuy" of the first; mayBuy is 1 or the reason why not (0 from the release before). Returns how many got a
-- unit, how many were passed over, and '1' if units are left that others want, else '0'.
local function giveOn(people, sale, buyers, outbox, waitlist, places)
  local call, match = redis.call, string.match
  local info = call('HMGET', sale, 'rules', 'serveFrom', 'total', 'available', 'held')
  local total, available, held, now = tonumber(info[3]), tonumber(info[4]), tonumber(info[5]), nowMs()
  local epoch, _, limit, _, hasStarted, hasEnded, isPaused = parseRules(info[1], now)
  if not hasStarted or hasEnded or isPaused or now < tonumber(info[2] or 0) then
    noteWaiting(sale, waitlist)
    return 0, 0, '0'
  end

  local given, passed, acceptedAt = 0, 0, string.format('%.0f', now)
  for _, person in ipairs(people) do
    if available <= given then break end
    local userId, seenOrderNo, mayBuy = match(person, '^(%S+) (%d+) (%S+)$')
    -- A place is number,jti,orderNo,state: w waits, g got a unit, p was passed over, for the reason in "userId why".
    local number, jti, orderNo = match(call('HGET', places, userId) or '', '^(%d+),([^,]+),(%d+)')
    if orderNo == seenOrderNo and call('ZREM', waitlist, userId) == 1 then
      local record = call('HGET', buyers, userId)
      local live, isFull, _, isKnown = sumPurchases(record, jti)
      local state = 'p'
      if mayBuy == '1' and live < limit and not isFull and not isKnown then
        state = 'g'
        given = given + 1
        local bought = jti .. ',' .. orderNo .. ',1'
        writePurchase(buyers, outbox, userId, withPurchase(record, bought, 'h'), bought, epoch, acceptedAt)
      else
        local reasons = {['1'] = 'limit_reached', ['0'] = 'not_recorded'}
        call('HSET', places, userId .. ' why', reasons[mayBuy] or mayBuy)
        passed = passed + 1
      end
      call('HSET', places, userId, number .. ',' .. jti .. ',' .. orderNo .. ',' .. state)
    end
  end
  if given > 0 then writeTaken(sale, total, available, held, given, acceptedAt) end
  noteWaiting(sale, waitlist)
  return given, passed, available > given and call('EXISTS', waitlist) == 1 and '1' or '0'
end
