-- Token bucket: it begins full with `limit` tokens, a call takes one, and windowMs / limit brings one back. Counted in
-- whole parts, so that nothing is rounded: a token is windowMs parts, and each millisecond brings `limit` of them.
-- s = {parts, at, windowMs}. Returns ms to wait, 0 = let through.
local function tokenBucket(s, limit, windowMs, now)
  local full = limit * windowMs
  local parts = full
  if s[1] then
    parts = s[3] == windowMs and s[1] or math.floor(s[1] / s[3] * windowMs)
    parts = math.min(full, parts + math.min(windowMs, math.max(0, now - s[2])) * limit)
  end
  if parts < windowMs then return math.ceil((windowMs - parts) / limit) end
  s[1], s[2], s[3] = parts - windowMs, now, windowMs
  return 0
end
