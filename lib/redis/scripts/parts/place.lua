-- A place on a waitlist: number,jti,orderNo,state, and ,variant where the sale has variants; state w waits, g got a unit,
-- p was passed over, for the reason in "userId why". Its score in the waitlist is its variant times 10^12 and its number
-- (see `lib/waitlist/records/score.ts`): those who wait for one variant stand together.
local OF_VARIANT = 1e12

-- Parses a place: its number, jti, orderNo and variant, 0 = the sale has none; nil = there is none.
local function parsePlace(place)
  local number, jti, orderNo, variant = string.match(place or '', '^(%d+),([^,]+),(%d+),%a,?(%d*)$')
  return number, jti, orderNo, tonumber(variant) or 0
end

-- Returns a place as text.
local function formatPlace(number, jti, orderNo, state, variant)
  local place = table.concat({number, jti, orderNo, state}, ',')
  return variant > 0 and place .. ',' .. variant or place
end
