-- Returns what a sale's rules (see write-rules) mean at `now`, ms: epoch, gate, limit and endsAt, then what is
-- true of the sale, and last its flags; nil = it is not loaded.
local function parseRules(rules, now)
  if not rules then return nil end
  local startsAt, endsAt, limit, epoch, flags, gate = string.match(rules, '^(%d+) (%d+) (%d+) (%d+) (%d+) (.*)$')
  local closed, paused, _, reservedOnly, shared, awaited = string.byte(flags, 1, 6)
  local YES = 49
  local hasStarted, hasEnded = now >= tonumber(startsAt), closed == YES or now >= tonumber(endsAt)
  return epoch, gate, tonumber(limit), endsAt, hasStarted, hasEnded, paused == YES, reservedOnly == YES, shared == YES,
    awaited == YES, flags
end
