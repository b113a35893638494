-- In a function that knows `userId` and `jti`: what that user has bought of the sale.
  local record = records[userId]
  if record == nil then record = call('HGET', buyers, userId) end
  local live, purchases, latest = 0, 0, nil
  if record then
    for seenJti, seenOrderNo, seenUnits, state in string.gmatch(record, '([^,;]+),(%d+),(%d+),([hsr])') do
      if seenJti == jti then return 'replayed ' .. seenOrderNo .. ' ' .. seenUnits end
      purchases = purchases + 1
      if state ~= 'r' then
        live = live + seenUnits
        latest = seenOrderNo
      end
    end
  end
