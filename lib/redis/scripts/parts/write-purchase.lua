-- Writes an accepted purchase: its buyer's record, and the message from which a worker makes its order.
local function writePurchase(buyers, outbox, userId, record, jti, orderNo, units, epoch, acceptedAt)
  redis.call('HSET', buyers, userId, record)
  redis.call('XADD', outbox, '*', 'orderNo', orderNo, 'userId', userId, 'quantity', units, 'jti', jti, 'epoch', epoch,
    'acceptedAt', acceptedAt)
end
