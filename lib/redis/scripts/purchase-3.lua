--[[
Decides one purchase and, if accepted, deducts the stock, remembers the buyer and records the order message:
one atomic step, so no message is lost between the two. Refusals write nothing.

KEYS[1] sale      hash; "rules" repeats the settings in one field: reading five fields instead of eleven and
                  converting fewer numbers took a call from 15.7 to 12.8 us of CPU (GET, DECR, SADD: 3.8)
KEYS[2] buyers    hash: user id -> jti,orderNo,units,state joined by ";" (state h held, s sold, r released)
KEYS[3] outbox    stream

ARGV[1] epoch
ARGV[2] gate
ARGV[3] userId
ARGV[4] jti
ARGV[5] orderNo
ARGV[6] quantity, an integer from 1

Replies, in the order they are decided
  unknown_sale
  stale_epoch
  replayed orderNo units       this jti has bought before: the first answer again, whatever else holds
  ended
  not_started
  paused
  gate_invalid
  already_bought orderNo       the user's live units have reached the limit; its latest live order
  over_limit                   these units would exceed it, or the user's record is full (20 purchases)
  sold_out available
  accepted acceptedAt          ms
Errors
  STOCKCORRUPT                 the tiers don't add up
]]
local call, match = redis.call, string.match
local sale, buyers, userId, jti, orderNo, units = KEYS[1], KEYS[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]

local info = call('HMGET', sale, 'rules', 'total', 'available', 'held', 'sold')
if not info[1] then return 'unknown_sale' end
local startsAt, endsAt, limit, rest = match(info[1], '^(%d+) (%d+) (%d+) (.*)$')
local epoch, closed, paused
local isOpen = rest == ARGV[1] .. ' 0 0 ' .. ARGV[2]
if not isOpen then
  epoch, closed, paused = match(rest, '^(%d+) (%d) (%d) ')
  if epoch ~= ARGV[1] then return 'stale_epoch' end
end

local record = call('HGET', buyers, userId)
local live, count, latest = 0, 0, nil
if record then
  for seenJti, seenOrderNo, seenUnits, state in string.gmatch(record, '([^,;]+),(%d+),(%d+),([hsr])') do
    if seenJti == jti then return 'replayed ' .. seenOrderNo .. ' ' .. seenUnits end
    count = count + 1
    if state ~= 'r' then
      live = live + seenUnits
      latest = seenOrderNo
    end
  end
end

local time = call('TIME')
local acceptedAt = time[1] .. string.sub('00000' .. time[2], -6, -4)
local now = tonumber(acceptedAt)
if closed == '1' or now >= tonumber(endsAt) then return 'ended' end
if now < tonumber(startsAt) then return 'not_started' end
if paused == '1' then return 'paused' end
if not isOpen then return 'gate_invalid' end

local quantity = tonumber(units)
limit = tonumber(limit)
local total, available, held, sold = tonumber(info[2]), tonumber(info[3]), tonumber(info[4]), tonumber(info[5])
if not (total and available and held and sold) or held < 0 or sold < 0
  or (total == -1 and available ~= -1)
  or (total ~= -1 and (available < 0 or available + held + sold ~= total)) then
  return redis.error_reply('STOCKCORRUPT ' .. sale)
end

if live >= limit then return 'already_bought ' .. latest end
if live + quantity > limit or count >= 20 then return 'over_limit' end
if total == -1 then
  call('HSET', sale, 'held', held + quantity)
elseif available < quantity then
  return 'sold_out ' .. info[3]
elseif available == quantity then
  call('HSET', sale, 'available', 0, 'held', held + quantity, 'soldOutAt', acceptedAt)
else
  local format = string.format
  call('HSET', sale, 'available', format('%d', available - quantity), 'held', format('%d', held + quantity))
end

local purchase = jti .. ',' .. orderNo .. ',' .. units .. ',h'
call('HSET', buyers, userId, record and (record .. ';' .. purchase) or purchase)
call('XADD', KEYS[3], '*', 'orderNo', orderNo, 'userId', userId, 'quantity', units, 'jti', jti,
  'epoch', ARGV[1], 'acceptedAt', acceptedAt)
return 'accepted ' .. acceptedAt
