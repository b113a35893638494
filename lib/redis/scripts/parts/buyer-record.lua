-- A buyer's record in a sale: up to 20 purchases "bought,state" joined by ";", oldest first; state h held, s sold, r
-- released. bought is "jti,orderNo,units" and, where the sale has variants, ",variant" (see `lib/stock/bought.ts`).

-- Adds up a record, which may be missing: live units, whether it is full, the latest live order. If `jti` has bought, it
-- stops there and returns that purchase's order, and its units and variant joined by a space, too.
local function sumPurchases(record, jti)
  if not record then return 0, false end
  local live, purchases, latest = 0, 0, nil
  for seenJti, orderNo, units, more, state in string.gmatch(record, '([^,;]+),(%d+),(%d+)([^;]*),([hsr])') do
    if seenJti == jti then
      local variant = string.match(more, '^,(%d+)')
      return live, false, latest, orderNo, variant and units .. ' ' .. variant or units
    end
    purchases = purchases + 1
    if state ~= 'r' then
      live = live + units
      latest = orderNo
    end
  end
  return live, purchases >= 20, latest
end

-- Returns a record, which may be missing or empty, with one more purchase.
local function withPurchase(record, bought, state)
  if not record or record == '' then return bought .. ',' .. state end
  return record .. ';' .. bought .. ',' .. state
end
