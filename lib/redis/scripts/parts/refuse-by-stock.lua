-- Returns how many units a purchase may take: all that are for sale, but none as long as somebody waits for units.
local function unitsLeft(total, available, isAwaited)
  return total == -1 and math.huge or isAwaited and 0 or available
end

-- Returns why a buyer can't have `units` more of `left`; nil = can. `live` and the next two are those of sumPurchases; `ofAll`
-- is what the sale has left where `left` is of a variant.
local function refuseByStock(limit, left, units, live, isFull, latest, ofAll)
  if live >= limit then return 'already_bought ' .. latest end
  if live + units > limit or isFull then return 'over_limit' end
  if left < units then
    return 'sold_out ' .. string.format('%d', left) .. (ofAll and string.format(' %d', ofAll) or '')
  end
  return nil
end
