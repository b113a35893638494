-- "soldOutAt" is when a unit was last taken: while none is left, that is when the sale sold out. Here it only rises, so it is
-- the same whichever way a rebuild learns of what was taken. Empty or missing = none was ever taken.
local function raiseSoldOutAt(sale, takenAt)
  local last = tonumber(redis.call('HGET', sale, 'soldOutAt') or '')
  if not last or last < tonumber(takenAt) then redis.call('HSET', sale, 'soldOutAt', takenAt) end
end
