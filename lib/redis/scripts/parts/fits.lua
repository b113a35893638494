-- After `find-buyer`: whether the limit per user and the stock allow as many units.
  local quantity = tonumber(units)
  if live >= limit then return 'already_bought ' .. latest end
  if live + quantity > limit or purchases >= 20 then return 'over_limit' end
  if total ~= -1 and awaited == YES then return 'sold_out 0' end
  if total ~= -1 and available < quantity then return 'sold_out ' .. format('%d', available) end
