-- A buyer's record in a sale: up to 20 purchases "jti,orderNo,units,state" joined by ";", oldest first; state h held,
-- s sold, r released.

-- Adds up a record, which may be missing: live units, whether it is full, the latest live order. If `jti` has bought, it
-- stops there and returns that purchase's order and units, too.
local function sumPurchases(record, jti)
  if not record then return 0, false end
  local live, purchases, latest = 0, 0, nil
  for seenJti, orderNo, units, state in string.gmatch(record, '([^,;]+),(%d+),(%d+),([hsr])') do
    if seenJti == jti then return live, false, latest, orderNo, units end
    purchases = purchases + 1
    if state ~= 'r' then
      live = live + units
      latest = orderNo
    end
  end
  return live, purchases >= 20, latest
end

-- Returns a record, which may be missing or empty, with one more purchase.
local function withPurchase(record, jti, orderNo, units, state)
  local purchase = jti .. ',' .. orderNo .. ',' .. units .. ',' .. state
  if not record or record == '' then return purchase end
  return record .. ';' .. purchase
end
