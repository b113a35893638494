-- Writes a sale's tiers after as many units as `taken` became held at `now`.
local function writeTaken(key, total, available, held, taken, now)
  if total ~= -1 then available = available - taken end
  redis.call('HSET', key, 'available', string.format('%d', available), 'held', string.format('%d', held + taken),
    'soldOutAt', now)
end
