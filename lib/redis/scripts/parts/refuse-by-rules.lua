-- Returns why nobody may buy now, or nobody with the caller's gate; nil = they may.
local function refuseByRules(hasStarted, hasEnded, isPaused, isGateRight)
  if hasEnded then return 'ended' end
  if not hasStarted then return 'not_started' end
  if isPaused then return 'paused' end
  if not isGateRight then return 'gate_invalid' end
  return nil
end
