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

Replies: `none` or `unknown_sale`, or one line for each purchase: "userId jti orderNo quantity ip device", and
  none                         nobody waits
  unknown_sale                 the sale is not loaded
  stale                        queued under another loading of the stock: not decided
  replayed orderNo units       this jti has bought before
  paused
  already_bought orderNo
  over_limit
  sold_out available
  accepted acceptedAt          ms; the epoch of its message is that of its line's first word
Errors
  STOCKCORRUPT                 the tiers don't add up
]]
local outbox, queue, asking = KEYS[3], KEYS[4], KEYS[5]
--@include sale-rules
local KEPT_MS = 3600000
local accepted = {}
local waiting = call('XRANGE', queue, '-', '+', 'COUNT', ARGV[1])
if #waiting == 0 then return 'none' end
if not info[1] then return 'unknown_sale' end
if isCorrupt then return redis.error_reply('STOCKCORRUPT ' .. sale) end
--@include asked-record

local PURCHASE = '^(%d+) ((%S+) (%S+) (%d+) (%d+) %S+ %S+)$'
-- Two reads for all.
local users, ids, seen = {}, {}, {}
for at, entry in ipairs(waiting) do
  ids[at] = entry[1]
  local _, _, userId = match(entry[2][2], PURCHASE)
  if userId and not seen[userId] then
    seen[userId] = true
    users[#users + 1] = userId
  end
end
if #users > 0 then
  for i, text in ipairs(call('HMGET', buyers, unpack(users))) do records[users[i]] = text end
  for i, text in ipairs(call('HMGET', asking, unpack(users))) do read[users[i]] = parseAsked(text) end
end

local function decide(epoch, userId, jti, orderNo, units)
  if epoch ~= current then return 'stale' end
--@include find-buyer
  if paused == YES then return 'paused' end
--@include fits
--@include take-units
end

-- Keeps the answer for questions about the order number. An accepted purchase stands with the buyers, and one that was
-- not decided is as if it had never been queued.
local function answer(userId, orderNo, reply)
  local own, word = askedBy(userId), match(reply, '^%S+')
  for at, one in ipairs(own) do
    if one.orderNo == orderNo then
      if word == 'accepted' or word == 'stale' then
        table.remove(own, at)
      else
        one.answer = string.gsub(reply, ' ', ':')
      end
      changed[userId] = own
      return
    end
  end
end

local replies = {}
for _, entry in ipairs(waiting) do
  local epoch, purchase, userId, jti, orderNo, units = match(entry[2][2], PURCHASE)
  if epoch then
    local reply = decide(epoch, userId, jti, orderNo, units)
    answer(userId, orderNo, reply)
    replies[#replies + 1] = table.concat({current, purchase, reply}, ' ')
  end
end
--@include write-accepted
writeAsked()
call('XDEL', queue, unpack(ids))
return table.concat(replies, '\n')
