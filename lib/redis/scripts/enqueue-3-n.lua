--[[
Puts purchases of one sale into its queue, in the order in which they come, for `decide-queue-5`. Purchases that are
sure to be refused are refused at once, by the rules of `purchase-3-n`; units left belong to the earlier ones in the
queue, too. Queuing deducts nothing.

KEYS[1] sale      hash
KEYS[2] buyers    hash: user id -> jti,orderNo,units,state joined by ";"
KEYS[3] queue     stream; "purchase" is "epoch userId jti orderNo quantity ip device"
KEYS[4…]  limits    hash: what the limits have counted; expires with the sale
          reserved  hash: user id -> when reserved
          asked     hash: user id -> jti,orderNo,units,answer joined by ";" (answer u undecided, else why it was refused);
                    expires an hour after the sale's end
          subject   string: what the limit has counted for one address or device, each given once; goes by itself

ARGV[1] "epoch cap"  the most purchases that may wait
ARGV[2] purchase  "gate userId jti orderNo quantity address device origin", once for each; address and device are the numbers
                  of their keys, from 7; 0 = none; origin is what `ip device` shall be in the queue, for the risk rules

Replies, one for each purchase, a line each; in the order they are queued
  unknown_sale
  stale_epoch
  replayed orderNo units       this jti has bought before
  undecided orderNo units      this jti waits already
  ended
  not_started
  paused
  gate_invalid
  rate_limited scope limit windowMs waitMs
  not_reserved
  already_bought orderNo
  over_limit
  sold_out available
  backlogged                   too many purchases wait, or too many of this user
  queued
Errors
  STOCKCORRUPT                 the tiers don't add up
]]
local queue = KEYS[3]
local epoch, cap = string.match(ARGV[1], '^(%d+) (%d+)$')
--@include sale-rules
local isStale = current ~= epoch
local limits, reserved, asking = unpack(KEYS, 4)
local ownKeys, KEPT_MS, MOST_OF_USER = 6, 3600000, 20
local PURCHASE = '^(%S*) (%S+) (%S+) (%d+) (%d+) (%d+) (%d+) (%S+ %S+)$'
local refusal, writeCounts
if limited == YES then
--@include purchase-limits
end
--@include asked-record
local queued, room = {}, tonumber(cap) - call('XLEN', queue)

local function decide(purchase)
  if not info[1] then return 'unknown_sale' end
  if isStale then return 'stale_epoch' end
  local asked, userId, jti, orderNo, units, address, device, origin = match(purchase, PURCHASE)
--@include find-buyer
  local own, undecided = askedBy(userId), 0
  for _, one in ipairs(own) do
    if one.answer == UNDECIDED then
      if one.jti == jti then return 'undecided ' .. one.orderNo .. ' ' .. one.units end
      undecided = undecided + 1
    end
  end
--@include may-buy
--@include fits
  if room <= 0 or undecided >= MOST_OF_USER then return 'backlogged' end
  room = room - 1
  own[#own + 1] = {jti = jti, orderNo = orderNo, units = units, answer = UNDECIDED}
  queued[#queued + 1] = table.concat({epoch, userId, jti, orderNo, units, origin}, ' ')
  changed[userId] = own
  return 'queued'
end
local replies = {}
for at = 2, #ARGV do
  local reply = decide(ARGV[at])
  if not reply then return redis.error_reply('STOCKCORRUPT ' .. sale) end
  replies[at - 1] = reply
end
if writeCounts then writeCounts() end
for _, purchase in ipairs(queued) do call('XADD', queue, '*', 'purchase', purchase) end
writeAsked()
return table.concat(replies, '\n')
