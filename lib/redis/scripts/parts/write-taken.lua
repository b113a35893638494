-- Writes a sale's tiers after as many units as `taken` became held at `now`; and its variants, the list, where it has some.
local function writeTaken(key, total, available, held, taken, now, variants)
  if total ~= -1 then available = available - taken end
  available, held = string.format('%d', available), string.format('%d', held + taken)
  if variants then
    redis.call('HSET', key, 'available', available, 'held', held, 'soldOutAt', now, 'variants', table.concat(variants, ' '))
  else
    redis.call('HSET', key, 'available', available, 'held', held, 'soldOutAt', now)
  end
end
