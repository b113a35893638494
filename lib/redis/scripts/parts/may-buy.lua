-- In a function that decides a purchase: whether anybody may buy now, and this user. Counts the attempt.
  if closed == YES or now >= endsAt then return 'ended' end
  if now < startsAt then return 'not_started' end
  if paused == YES then return 'paused' end
  if asked ~= gate then return 'gate_invalid' end
  if isCorrupt then return nil end
  local tooMany = refusal and refusal(userId, address, device)
  if tooMany then return tooMany end
  if reservedOnly == YES and call('HEXISTS', reserved, userId) == 0 then return 'not_reserved' end
