-- Sliding window: never more than `limit` calls in any windowMs. Up to 30 calls are remembered by their millisecond,
-- more in 30ths of the window, each as late as its slot ends. s = {total, slotEnd, count, …}, at most 31 slots. Counts
-- `calls`, if there is room; 0 = only asks. Returns the room, and without any the ms until there is.
local function slidingWindow(s, limit, windowMs, now, calls)
  local slotMs = limit <= 30 and 1 or math.ceil(windowMs / 30)
  s[1] = s[1] or 0
  local size, first = #s, 2
  while s[first] and s[first] + windowMs <= now do
    s[1] = s[1] - s[first + 1]
    first = first + 2
  end
  if first > 2 then
    for at = 2, size do s[at] = s[at + first - 2] end
  end
  local room = limit - s[1]
  if room <= 0 then
    -- More than one slot must go if the limit was lowered.
    local over, at = -room, 2
    while over >= s[at + 1] do
      over = over - s[at + 1]
      at = at + 2
    end
    return 0, s[at] + windowMs - now
  end
  if calls == 0 then return room, 0 end
  local slotEnd = now - now % slotMs + slotMs - 1
  size = #s
  if size > 1 and s[size - 1] >= slotEnd then
    s[size] = s[size] + calls
  else
    s[size + 1], s[size + 2] = slotEnd, calls
  end
  s[1] = s[1] + calls
  return room, 0
end
