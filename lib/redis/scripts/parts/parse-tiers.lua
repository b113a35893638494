-- Returns a sale's tiers, which are HMGET's second to fifth answer, and whether they don't add up. Clamps nothing.
local function parseTiers(info)
  local total, available, held, sold = tonumber(info[2]), tonumber(info[3]), tonumber(info[4]), tonumber(info[5])
  local isCorrupt = not (total and available and held and sold) or held < 0 or sold < 0
    or (total == -1 and available ~= -1)
    or (total ~= -1 and (available < 0 or available + held + sold ~= total))
  return total, available, held, sold, isCorrupt
end
