-- Fixed window: the first call opens a window for `limit` calls; the first one after its end opens the next. Around
-- such an end twice as many fit into one windowMs. s = {opened, count}. Counts `calls`, if there is room; 0 = only
-- asks. Returns the room there was, and without any the ms until there is.
local function fixedWindow(s, limit, windowMs, now, calls)
  if not s[1] or now >= s[1] + windowMs then s[1], s[2] = now, 0 end
  local room = limit - s[2]
  if room <= 0 then return 0, math.min(s[1] + windowMs - now, windowMs) end
  s[2] = s[2] + calls
  return room, 0
end
