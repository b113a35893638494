-- Raises "soldOutAt", when a unit was last taken: while none is left, that is when the sale sold out. It never falls, so a
-- rebuild finds the same moment whichever way it learns of purchases. Empty or missing = no unit was ever taken.
local function raiseSoldOutAt(sale, takenAt)
  local last = tonumber(redis.call('HGET', sale, 'soldOutAt') or '')
  if not last or last < tonumber(takenAt) then redis.call('HSET', sale, 'soldOutAt', takenAt) end
end
