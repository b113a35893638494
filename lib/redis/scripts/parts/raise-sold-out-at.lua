-- "soldOutAt" is when somebody last took a unit: while none is left, that is when the sale sold out. It only rises here, so
-- a rebuild finds the same moment whichever way it learns of purchases. Empty or missing = nobody ever took one.
local function raiseSoldOutAt(sale, takenAt)
  local last = tonumber(redis.call('HGET', sale, 'soldOutAt') or '')
  if not last or last < tonumber(takenAt) then redis.call('HSET', sale, 'soldOutAt', takenAt) end
end
