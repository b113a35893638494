--@include buyer-record
--@include note-waiting
--@include now-ms
--@include parse-rules
--@include place
--@include variants
--@include write-purchase
--@include write-taken
-- Gives units for sale to those on a sale's waitlist, in their order, each as an accepted purchase. `people`: "userId
-- orderNo mayBuy" of the first for each variant; mayBuy is 1 or why not (0 from the release before). Returns how
-- many got a unit, how many did not, and '1' if units are left that others want, else '0'.
local function giveOn(people, sale, buyers, outbox, waitlist, places)
  local call = redis.call
  local info = call('HMGET', sale, 'rules', 'serveFrom', 'total', 'available', 'held', 'variants')
  local total, available, held, now = tonumber(info[3]), tonumber(info[4]), tonumber(info[5]), nowMs()
  local epoch, _, limit, _, hasStarted, hasEnded, isPaused = parseRules(info[1], now)
  local variants = parseVariants(info[6], available)
  if not hasStarted or hasEnded or isPaused or variants == nil or now < tonumber(info[2] or 0) then
    noteWaiting(sale, waitlist)
    return 0, 0, '0'
  end

  local given, passed, acceptedAt = 0, 0, string.format('%.0f', now)
  -- Units left by variant; 0 = the sale has none.
  local left = variants or {[0] = available}
  for _, person in ipairs(people) do
    if available <= given then break end
    local userId, seenOrderNo, mayBuy = string.match(person, '^(%S+) (%d+) (%S+)$')
    local number, jti, orderNo, variant = parsePlace(call('HGET', places, userId))
    if orderNo == seenOrderNo and tonumber(left[variant] or 0) > 0 and call('ZREM', waitlist, userId) == 1 then
      local record = call('HGET', buyers, userId)
      local live, isFull, _, isKnown = sumPurchases(record, jti)
      local state = 'p'
      if mayBuy == '1' and live < limit and not isFull and not isKnown then
        state = 'g'
        given = given + 1
        left[variant] = left[variant] - 1
        local words = {jti, orderNo, '1', variant > 0 and string.format('%d', variant) or nil}
        record = withPurchase(record, table.concat(words, ','), 'h')
        writePurchase(buyers, outbox, record, {userId, unpack(words)}, epoch, acceptedAt)
      else
        local reasons = {['1'] = 'limit_reached', ['0'] = 'not_recorded'}
        call('HSET', places, userId .. ' why', reasons[mayBuy] or mayBuy)
        passed = passed + 1
      end
      call('HSET', places, userId, formatPlace(number, jti, orderNo, state, variant))
    end
  end
  if given > 0 then writeTaken(sale, total, available, held, given, acceptedAt, variants) end
  local awaited, isAwaited = noteWaiting(sale, waitlist), '0'
  for variant, units in pairs(left) do
    if tonumber(units) > 0 and string.byte(awaited, variant + 1) == 49 then isAwaited = '1' end
  end
  return given, passed, isAwaited
end
