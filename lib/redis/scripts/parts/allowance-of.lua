-- Units that a campaign's limit leaves a user in this sale; none where nobody has told of any.
local function allowanceOf(allowances, userId)
  return tonumber(string.match(redis.call('HGET', allowances, userId) or '', '^%d+') or 0)
end
