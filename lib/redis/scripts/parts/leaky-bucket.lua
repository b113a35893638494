-- Leaky bucket, as a meter: a call pours one unit into a bucket that holds `limit` and leaks one each windowMs / limit.
-- A unit is windowMs parts; each millisecond takes `limit` away. s = {level in parts, at, windowMs}. Counts `calls`, if
-- there is room; 0 = only asks. Returns the room there was, and without any the ms until there is.
local function leakyBucket(s, limit, windowMs, now, calls)
  local full = limit * windowMs
  local level = 0
  if s[1] then
    level = s[3] == windowMs and s[1] or math.ceil(s[1] / s[3] * windowMs)
    level = math.max(0, math.min(full, level) - math.min(windowMs, math.max(0, now - s[2])) * limit)
  end
  if level + windowMs > full then return 0, math.ceil((level + windowMs - full) / limit) end
  if calls > 0 then s[1], s[2], s[3] = level + calls * windowMs, now, windowMs end
  return math.floor((full - level) / windowMs), 0
end
