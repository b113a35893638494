-- Returns how many units a purchase may take: all that are for sale, but none as long as somebody waits for units.
local function unitsLeft(total, available, isAwaited)
  return total == -1 and math.huge or isAwaited and 0 or available
end

-- Returns why a buyer can't have `units` more of `left`; nil = can. The last three are those of sumPurchases.
local function refuseByStock(limit, left, units, live, isFull, latest)
  if live >= limit then return 'already_bought ' .. latest end
  if live + units > limit or isFull then return 'over_limit' end
  if left < units then return 'sold_out ' .. string.format('%d', left) end
  return nil
end
