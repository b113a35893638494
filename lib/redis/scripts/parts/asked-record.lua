-- A user's record of requests in a sale of the queue strategy: "bought,answer" (see buyer-record) joined by ";", oldest first.
-- Accepted purchases stand with the buyers instead. An answer is `u` (undecided) or a refusal.
local UNDECIDED, MOST_ASKED, KEPT_MS = 'u', 20, 3600000

-- Parses a record, which may be missing, to a list of requests.
local function parseAsked(text)
  local requests = {}
  for bought, jti, orderNo, units, answer in string.gmatch(text or '', '(([^,;]+),(%d+),(%d+)[^;]*),([^,;]+)') do
    requests[#requests + 1] = {bought = bought, jti = jti, orderNo = orderNo, units = units, answer = answer}
  end
  return requests
end

-- Returns how many requests of a list are undecided; and that of `jti`, if it is one of them.
local function undecidedOf(requests, jti)
  local undecided, own = 0, nil
  for _, one in ipairs(requests) do
    if one.answer == UNDECIDED then
      undecided = undecided + 1
      if one.jti == jti then own = own or one end
    end
  end
  return undecided, own
end

-- Sets the answer to a request in a list, or removes it without one; tells whether it was there.
local function answerRequest(requests, orderNo, answer)
  for at, one in ipairs(requests) do
    if one.orderNo == orderNo then
      if answer then one.answer = string.gsub(answer, ' ', ':') else table.remove(requests, at) end
      return true
    end
  end
  return false
end

-- Returns the record of a list of requests. Of too many, the oldest that are decided go.
local function formatAsked(requests)
  local surplus, texts = #requests - MOST_ASKED, {}
  for _, one in ipairs(requests) do
    if surplus > 0 and one.answer ~= UNDECIDED then
      surplus = surplus - 1
    else
      texts[#texts + 1] = one.bought .. ',' .. one.answer
    end
  end
  return table.concat(texts, ';')
end

-- Writes the lists of requests that have changed, by user, and keeps the hash for an hour after the sale's end.
local function writeAsked(key, changed, endsAt)
  local written, gone = {}, {}
  for userId, requests in pairs(changed) do
    local text = formatAsked(requests)
    if text == '' then
      gone[#gone + 1] = userId
    else
      written[#written + 1] = userId
      written[#written + 1] = text
    end
  end
  if #gone > 0 then redis.call('HDEL', key, unpack(gone)) end
  if #written == 0 then return end
  redis.call('HSET', key, unpack(written))
  redis.call('PEXPIREAT', key, string.format('%d', endsAt + KEPT_MS))
end
