-- Writes an accepted purchase: its buyer's record, and the message from which a worker makes its order. `purchase`:
-- {userId, jti, orderNo, units, variant}, without the last, or with an empty one, where the sale has none.
local function writePurchase(buyers, outbox, record, purchase, epoch, acceptedAt)
  local userId, jti, orderNo, units, variant = unpack(purchase)
  redis.call('HSET', buyers, userId, record)
  if (variant or '') == '' then
    redis.call('XADD', outbox, '*', 'orderNo', orderNo, 'userId', userId, 'quantity', units, 'jti', jti, 'epoch', epoch,
      'acceptedAt', acceptedAt)
  else
    redis.call('XADD', outbox, '*', 'orderNo', orderNo, 'userId', userId, 'quantity', units, 'jti', jti, 'epoch', epoch,
      'acceptedAt', acceptedAt, 'variant', variant)
  end
end
