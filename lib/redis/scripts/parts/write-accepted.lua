-- Writes what this call has `accepted`, each {userId, orderNo, units, jti}: the tiers, the buyers and the order messages.
if #accepted > 0 then
  call('HSET', sale, 'available', format('%d', available), 'held', format('%d', held), 'soldOutAt', acceptedAt)
  for _, order in ipairs(accepted) do
    local userId, orderNo, units, jti = unpack(order)
    call('HSET', buyers, userId, records[userId])
    call('XADD', outbox, '*', 'orderNo', orderNo, 'userId', userId, 'quantity', units, 'jti', jti, 'epoch', current,
      'acceptedAt', acceptedAt)
  end
end
