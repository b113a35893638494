-- After `fits`: takes the units and remembers the purchase; `write-accepted` writes both.
  if total ~= -1 then available = available - quantity end
  held = held + quantity
  local bought = jti .. ',' .. orderNo .. ',' .. units .. ',h'
  records[userId] = record and (record .. ';' .. bought) or bought
  accepted[#accepted + 1] = {userId, orderNo, units, jti}
  return 'accepted ' .. acceptedAt
