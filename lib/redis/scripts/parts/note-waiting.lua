--@include place
--@include write-rules
-- Notes in the rules for which variants somebody waits: as long as that is so, the purchase script gives their units to
-- nobody else. Returns "awaited": 0 = nobody waits; else 1, and then a digit for each variant up to the last that is awaited.
local function noteWaiting(sale, waitlist)
  local info = redis.call('HMGET', sale, 'awaited', 'variants')
  local before, awaited = info[1] or '0', '0'
  if redis.call('EXISTS', waitlist) == 1 then
    if before == '1' and (info[2] or '') == '' then return before end
    local digits, from = '', 0
    while true do
      local first = redis.call('ZRANGEBYSCORE', waitlist, string.format('%.0f', from), '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
      if not first[2] then break end
      local variant = math.floor(tonumber(first[2]) / OF_VARIANT)
      digits = digits .. string.rep('0', variant - #digits) .. '1'
      from = (variant + 1) * OF_VARIANT
    end
    awaited = '1' .. string.sub(digits, 2)
  end
  if before ~= awaited then
    redis.call('HSET', sale, 'awaited', awaited)
    writeRules(sale)
  end
  return awaited
end
