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
ARGV[2] purchase  "gate userId jti,orderNo,units address device origin", once for each; address and device are the numbers
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
--@include asked-record
--@include buyer-record
--@include now-ms
--@include parse-rules
--@include parse-tiers
--@include refuse-by-rules
--@include refuse-by-stock
local call, match = redis.call, string.match
local buyers, queue = KEYS[2], KEYS[3]
local limits, reserved, asking = unpack(KEYS, 4)
local epoch, cap = match(ARGV[1], '^(%d+) (%d+)$')
local OWN_KEYS = 6
local PURCHASE = '^(%S*) (%S+) (([^, ]+),(%d+),(%d+)%S*) (%d+) (%d+) (%S+ %S+)$'
local replies, queued = {}, {}

local info, now = call('HMGET', KEYS[1], 'rules', 'total', 'available', 'held', 'sold', 'limits'), nowMs()
local current, saleGate, limit, endsAt, hasStarted, hasEnded, isPaused, isReservedOnly, _, isAwaited = parseRules(info[1], now)
local why = not current and 'unknown_sale' or current ~= epoch and 'stale_epoch'
if why then
  for at = 2, #ARGV do replies[at - 1] = why end
  return table.concat(replies, '\n')
end
local total, available, _, _, isCorrupt = parseTiers(info)
local left = unitsLeft(total, available, isAwaited)
local refuseByLimits, writeCounts
if (info[6] or '') ~= '' then
--@include sale-limits
  local counts = startSaleCounts(info[6], now, limits, ARGV, KEYS, OWN_KEYS + 1)
  refuseByLimits = function(userId, address, device) return countPurchase(counts, KEYS, userId, address, device) end
  writeCounts = function() writeSaleCounts(counts, limits, endsAt) end
end

-- By user, the requests so far, those of this call included; `changed` are those to write.
local requests, changed = {}, {}
local room = tonumber(cap) - call('XLEN', queue)
for at = 2, #ARGV do
  local gate, userId, bought, jti, orderNo, units, address, device, origin = match(ARGV[at], PURCHASE)
  local live, isFull, latest, firstOrderNo, firstUnits = sumPurchases(call('HGET', buyers, userId), jti)
  local own = requests[userId] or parseAsked(call('HGET', asking, userId))
  requests[userId] = own
  local undecided, first = undecidedOf(own, jti)
  why = firstOrderNo and 'replayed ' .. firstOrderNo .. ' ' .. firstUnits
    or first and 'undecided ' .. first.orderNo .. ' ' .. first.units
    or refuseByRules(hasStarted, hasEnded, isPaused, gate == saleGate)
  if isCorrupt and not why then return redis.error_reply('STOCKCORRUPT ' .. KEYS[1]) end
  why = why
    or refuseByLimits and refuseByLimits(userId, address, device)
    or isReservedOnly and call('HEXISTS', reserved, userId) == 0 and 'not_reserved'
    or refuseByStock(limit, left, tonumber(units), live, isFull, latest)
    or (room <= 0 or undecided >= MOST_ASKED) and 'backlogged'
  if not why then
    room = room - 1
    own[#own + 1] = {bought = bought, jti = jti, orderNo = orderNo, units = units, answer = UNDECIDED}
    queued[#queued + 1] = table.concat({epoch, userId, (string.gsub(bought, ',', ' ')), origin}, ' ')
    changed[userId] = own
  end
  replies[at - 1] = why or 'queued'
end

if writeCounts then writeCounts() end
for _, purchase in ipairs(queued) do call('XADD', queue, '*', 'purchase', purchase) end
writeAsked(asking, changed, endsAt)
return table.concat(replies, '\n')
