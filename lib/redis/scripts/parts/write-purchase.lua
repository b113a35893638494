-- Writes an accepted purchase: its buyer's record, and the message from which a worker makes its order.
local function writePurchase(buyers, outbox, userId, record, bought, epoch, acceptedAt)
  local jti, orderNo, units = string.match(bought, '^([^,]+),(%d+),(%d+)')
  redis.call('HSET', buyers, userId, record)
  redis.call('XADD', outbox, '*', 'orderNo', orderNo, 'userId', userId, 'quantity', units, 'jti', jti, 'epoch', epoch,
    'acceptedAt', acceptedAt)
end
