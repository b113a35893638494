--@include variants
-- Returns the units left of each that a purchase may take, and their sum: none of a variant as long as somebody waits for it.
-- `flags`: see write-rules.
local function unawaited(variants, available, flags)
  local YES, AWAITED = 49, 6
  if string.byte(flags, AWAITED) ~= YES then return variants, available end
  local free, sum = {}, 0
  for variant, units in ipairs(variants or {}) do
    free[variant] = string.byte(flags, AWAITED + variant) == YES and 0 or units
    sum = sum + free[variant]
  end
  return free, sum
end
