-- Token bucket: it begins full with `limit` tokens; a call takes one, and each windowMs / limit brings one back. A
-- token is windowMs parts and each millisecond brings `limit`, so nothing is rounded. s = {parts, at, windowMs}. Counts
-- `calls`, if there is room; 0 = only asks. Returns the room there was, and without any the ms until there is.
local function tokenBucket(s, limit, windowMs, now, calls)
  local full = limit * windowMs
  local parts = full
  if s[1] then
    parts = s[3] == windowMs and s[1] or math.floor(s[1] / s[3] * windowMs)
    parts = math.min(full, parts + math.min(windowMs, math.max(0, now - s[2])) * limit)
  end
  if parts < windowMs then return 0, math.ceil((windowMs - parts) / limit) end
  if calls > 0 then s[1], s[2], s[3] = parts - calls * windowMs, now, windowMs end
  return math.floor(parts / windowMs), 0
end
