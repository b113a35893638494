-- Finds an order in a buyer's record (see buyer-record): where its state stands, its units, its state, and
-- its variant, 0 = none; nil = not there.
local function findOrder(record, orderNo)
  local _, at, units, more, state = string.find(record, ',' .. orderNo .. ',(%d+)([^;]*),([hsr])')
  return at, tonumber(units), state, tonumber(string.match(more or '', '^,(%d+)') or 0)
end

-- Returns the record with another state at the place that findOrder has found.
local function withState(record, at, state)
  return string.sub(record, 1, at - 1) .. state .. string.sub(record, at + 1)
end
