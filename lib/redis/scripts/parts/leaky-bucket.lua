-- Leaky bucket, as a meter: a call pours one unit into a bucket that holds `limit` and leaks one each windowMs / limit;
-- what would overflow is refused. A unit is windowMs parts, each millisecond takes `limit` of them away.
-- s = {level in parts, at, windowMs}. Returns ms to wait, 0 = let through.
local function leakyBucket(s, limit, windowMs, now)
  local full = limit * windowMs
  local level = 0
  if s[1] then
    level = s[3] == windowMs and s[1] or math.ceil(s[1] / s[3] * windowMs)
    level = math.max(0, math.min(full, level) - math.min(windowMs, math.max(0, now - s[2])) * limit)
  end
  if level + windowMs > full then return math.ceil((level + windowMs - full) / limit) end
  s[1], s[2], s[3] = level + windowMs, now, windowMs
  return 0
end
