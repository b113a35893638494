-- Fixed window: the first call opens a window, in which `limit` calls are let through; the first one after its end
-- opens the next. Around such an end twice as many fit into one windowMs.
-- s = {opened, count}. Returns ms to wait, 0 = let through.
local function fixedWindow(s, limit, windowMs, now)
  if not s[1] or now >= s[1] + windowMs then s[1], s[2] = now, 0 end
  if s[2] >= limit then return math.min(s[1] + windowMs - now, windowMs) end
  s[2] = s[2] + 1
  return 0
end
