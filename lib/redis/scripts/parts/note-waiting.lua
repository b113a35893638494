--@include write-rules
-- Notes in the rules whether somebody waits: as long as that is so, the purchase script gives units to nobody else.
local function noteWaiting(sale, waitlist)
  local awaited = redis.call('EXISTS', waitlist) == 1 and '1' or '0'
  if (redis.call('HGET', sale, 'awaited') or '0') == awaited then return end
  redis.call('HSET', sale, 'awaited', awaited)
  writeRules(sale)
end
