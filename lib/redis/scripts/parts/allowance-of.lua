-- Returns the units that a campaign's limit leaves a user in this sale; 0 if none were put.
local function allowanceOf(allowances, userId)
  return tonumber(string.match(redis.call('HGET', allowances, userId) or '', '^%d+') or 0)
end
