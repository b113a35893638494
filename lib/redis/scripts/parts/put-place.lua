--@include place
-- Puts a user behind all who wait for a variant, and returns the place.
local function putPlace(waitlist, places, userId, number, jti, orderNo, variant)
  local place = formatPlace(number, jti, orderNo, 'w', variant)
  redis.call('ZADD', waitlist, variant > 0 and string.format('%.0f', variant * OF_VARIANT + number) or number, userId)
  redis.call('HSET', places, userId, place)
  return place
end
