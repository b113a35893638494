-- The record of users' requests in a sale of the queue strategy: hash `asking`, user id -> the user's latest requests
-- with their answers, oldest first. Accepted purchases stand with the buyers instead. An answer is `u` (undecided) or a
-- refusal.
local UNDECIDED, MOST_KEPT = 'u', 20
local read, changed = {}, {}

local function parseAsked(text)
  local own = {}
  for jti, orderNo, units, answer in string.gmatch(text or '', '([^,;]+),(%d+),(%d+),([^,;]+)') do
    own[#own + 1] = {jti = jti, orderNo = orderNo, units = units, answer = answer}
  end
  return own
end

local function askedBy(userId)
  local own = read[userId]
  if not own then
    own = parseAsked(call('HGET', asking, userId))
    read[userId] = own
  end
  return own
end

-- Writes those that `changed`. Of too many, the oldest that are decided go.
local function writeAsked()
  local pairsOf, gone = {}, {}
  for userId, own in pairs(changed) do
    local surplus, texts = #own - MOST_KEPT, {}
    for _, one in ipairs(own) do
      if surplus > 0 and one.answer ~= UNDECIDED then
        surplus = surplus - 1
      else
        texts[#texts + 1] = table.concat({one.jti, one.orderNo, one.units, one.answer}, ',')
      end
    end
    if #texts == 0 then
      gone[#gone + 1] = userId
    else
      pairsOf[#pairsOf + 1] = userId
      pairsOf[#pairsOf + 1] = table.concat(texts, ';')
    end
  end
  if #gone > 0 then call('HDEL', asking, unpack(gone)) end
  if #pairsOf == 0 then return end
  call('HSET', asking, unpack(pairsOf))
  call('PEXPIREAT', asking, format('%d', endsAt + KEPT_MS))
end
