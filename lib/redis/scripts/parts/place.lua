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

-- Puts a user behind all who wait for a variant, and returns the place.
local function putPlace(waitlist, places, userId, number, jti, orderNo, variant)
  local place = formatPlace(number, jti, orderNo, 'w', variant)
  redis.call('ZADD', waitlist, string.format('%.0f', variant * OF_VARIANT + number), userId)
  redis.call('HSET', places, userId, place)
  return place
end

-- Counts those who wait for a variant under lower numbers.
local function countBefore(waitlist, variant, number)
  local from = variant * OF_VARIANT
  return redis.call('ZCOUNT', waitlist, string.format('%.0f', from), string.format('(%.0f', from + number))
end
