-- Writes an accepted purchase: its buyer's record, and the message from which a worker makes its order.
local function writePurchase(buyers, outbox, userId, record, bought, epoch, acceptedAt)
  local jti, orderNo, units, variant = string.match(bought, '^([^,]+),(%d+),(%d+),?(%d*)')
  redis.call('HSET', buyers, userId, record)
  if variant == '' then
    redis.call('XADD', outbox, '*', 'orderNo', orderNo, 'userId', userId, 'quantity', units, 'jti', jti, 'epoch', epoch,
      'acceptedAt', acceptedAt)
  else
    redis.call('XADD', outbox, '*', 'orderNo', orderNo, 'userId', userId, 'quantity', units, 'jti', jti, 'epoch', epoch,
      'acceptedAt', acceptedAt, 'variant', variant)
  end
end
