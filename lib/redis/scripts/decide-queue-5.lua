--[[
Decides the purchases that have waited longest in a sale's queue, by the rules of `purchase-3-n`: deducts, remembers
buyers and refusals, records order messages, empties the queue. In one step, so any number of workers may run it: each
purchase is decided once, in order. Purchases queued before the end are decided; they wait while the sale is not loaded.

KEYS[1] sale      hash
KEYS[2] buyers    hash: user id -> jti,orderNo,units,state joined by ";"
KEYS[3] outbox    stream
KEYS[4] queue     stream; "purchase" is "epoch userId jti orderNo quantity ip device"
KEYS[5] asked     hash: user id -> jti,orderNo,units,answer joined by ";"; expires an hour after the sale's end

ARGV[1] most      how many to decide in this call
ARGV[2…] barred   user ids: they may not buy any more

Replies: `none` or `unknown_sale`, or one line for each purchase: "epoch userId jti,orderNo,units ip device", and
  none                         nobody waits
  unknown_sale                 the sale is not loaded
  stale                        not decided: queued under another loading of the stock, or by somebody barred
  replayed orderNo units       this jti has bought before
  paused
  already_bought orderNo
  over_limit
  sold_out available
  accepted acceptedAt          ms; the epoch of its message is that of its line's first word
Errors
  STOCKCORRUPT                 the tiers don't add up
]]
--@include asked-record
--@include buyer-record
--@include now-ms
--@include parse-rules
--@include parse-tiers
--@include refuse-by-stock
--@include write-purchase
--@include write-taken
local call, match = redis.call, string.match
local buyers, outbox, queue, asking = KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local PURCHASE = '^(%d+) (%S+) ((%S+) (%d+) (%d+).*) (%S+ %S+)$'

local waiting = call('XRANGE', queue, '-', '+', 'COUNT', ARGV[1])
if #waiting == 0 then return 'none' end
local info, now = call('HMGET', KEYS[1], 'rules', 'total', 'available', 'held', 'sold'), nowMs()
local current, _, limit, endsAt, _, _, isPaused, _, _, isAwaited = parseRules(info[1], now)
if not current then return 'unknown_sale' end
local total, available, held, _, isCorrupt = parseTiers(info)
if isCorrupt then return redis.error_reply('STOCKCORRUPT ' .. KEYS[1]) end
local left = unitsLeft(total, available, isAwaited)

local barred = {}
for _, userId in ipairs({unpack(ARGV, 2)}) do barred[userId] = true end

-- Two reads for all.
local users, ids, records, requests = {}, {}, {}, {}
for at, entry in ipairs(waiting) do
  ids[at] = entry[1]
  local _, userId = match(entry[2][2], PURCHASE)
  if userId and not requests[userId] then
    requests[userId] = {}
    users[#users + 1] = userId
  end
end
if #users > 0 then
  for i, text in ipairs(call('HMGET', buyers, unpack(users))) do records[users[i]] = text end
  for i, text in ipairs(call('HMGET', asking, unpack(users))) do requests[users[i]] = parseAsked(text) end
end

local acceptedAt = string.format('%.0f', now)
local replies, accepted, changed, taken = {}, {}, {}, 0
for _, entry in ipairs(waiting) do
  local epoch, userId, words, jti, orderNo, units, origin = match(entry[2][2], PURCHASE)
  if epoch then
    local record, bought, quantity = records[userId], string.gsub(words, ' ', ','), tonumber(units)
    local live, isFull, latest, firstOrderNo, firstUnits = sumPurchases(record, jti)
    local why = epoch ~= current and 'stale'
      or firstOrderNo and 'replayed ' .. firstOrderNo .. ' ' .. firstUnits
      or barred[userId] and 'stale'
      or isPaused and 'paused'
      or refuseByStock(limit, left - taken, quantity, live, isFull, latest)
    if not why then
      taken = taken + quantity
      records[userId] = withPurchase(record, bought, 'h')
      accepted[#accepted + 1] = {userId, jti, orderNo, units}
    end
    -- An accepted purchase stands with the buyers, and one that was not decided is as if it had never been queued.
    if answerRequest(requests[userId], orderNo, why ~= 'stale' and why) then changed[userId] = requests[userId] end
    replies[#replies + 1] = table.concat({current, userId, bought, origin, why or 'accepted ' .. acceptedAt}, ' ')
  end
end

if #accepted > 0 then writeTaken(KEYS[1], total, available, held, taken, acceptedAt) end
for _, purchase in ipairs(accepted) do
  writePurchase(buyers, outbox, records[purchase[1]], purchase, current, acceptedAt)
end
writeAsked(asking, changed, endsAt)
call('XDEL', queue, unpack(ids))
return table.concat(replies, '\n')
