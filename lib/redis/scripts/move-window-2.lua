--[[
Moves a sale's window. Until the sale starts, its start and its end may be any moments to come; from then on the end can
only become later. What has ended stays ended: shoppers have been told so.

KEYS[1] sale      hash
KEYS[2] limits    hash: what the purchase script has counted; kept until the new end

ARGV[1] epoch
ARGV[2] startsAt  ms
ARGV[3] endsAt    ms, after startsAt

Replies
  unknown_sale
  stale_epoch
  ended endsAt
  started startsAt            the sale has started: its start stays
  past                        the new start is not to come
  not_later endsAt            the sale has started, and the end that holds is later than this one
  moved
]]
--@include now-ms
--@include write-rules
local call = redis.call
local info = call('HMGET', KEYS[1], 'epoch', 'closed', 'startsAt', 'endsAt')
if not info[1] then return 'unknown_sale' end
if info[1] ~= ARGV[1] then return 'stale_epoch' end

local now = nowMs()
if info[2] == '1' or now >= tonumber(info[4]) then return 'ended ' .. info[4] end
-- The same moments again are a repetition: the answer to the first call may have got lost.
if ARGV[2] ~= info[3] then
  if now >= tonumber(info[3]) then return 'started ' .. info[3] end
  if tonumber(ARGV[2]) <= now then return 'past' end
elseif now >= tonumber(info[3]) and tonumber(ARGV[3]) < tonumber(info[4]) then
  return 'not_later ' .. info[4]
end

call('HSET', KEYS[1], 'startsAt', ARGV[2], 'endsAt', ARGV[3])
call('PEXPIREAT', KEYS[2], ARGV[3])
writeRules(KEYS[1])
return 'moved'
