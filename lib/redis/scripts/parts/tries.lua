-- Parses the question to each counter of tries, in the order of the keys.
local function readCounters(text)
  local counters = {}
  for kind, free, tight, baseMs, maxMs, keepMs in string.gmatch(text, '(%l) (%d+) (%d+) (%d+) (%d+) (%d+)') do
    counters[#counters + 1] = {
      kind = kind, free = tonumber(free), tight = tonumber(tight), baseMs = tonumber(baseMs),
      maxMs = tonumber(maxMs), keepMs = tonumber(keepMs),
    }
  end
  return counters
end

-- Returns the failures so far, and the moment before which there is no other try; of a gauge, when its window ends.
local function readTries(key, counter, now)
  local failures, at = string.match(redis.call('GET', key) or '0 0', '^(%d+) (%d+)$')
  failures, at = tonumber(failures), tonumber(at)
  if counter.kind == 'g' then
    if at <= now then return 0, now + counter.keepMs end
    return failures, at
  end
  -- Should the clock have been set back.
  return failures, math.min(at, now + counter.maxMs)
end

-- Writes what readTries reads.
local function writeTries(key, counter, failures, at, now)
  local keepMs = counter.kind == 'g' and at - now or counter.keepMs
  redis.call('SET', key, string.format('%d %d', failures, at), 'PX', string.format('%d', keepMs))
end

-- Tells whether some gauge is full: unknown devices get fewer free tries.
local function isTight(keys, counters, now)
  for i, counter in ipairs(counters) do
    if counter.kind == 'g' and readTries(keys[i], counter, now) >= counter.free then return true end
  end
  return false
end

-- Returns how long to wait after so many failures, in ms: doubled by each one beyond the free ones.
local function waitAfter(counter, failures, tight)
  local beyond = failures - (tight and counter.tight or counter.free)
  if beyond < 0 then return 0 end
  return math.min(counter.maxMs, counter.baseMs * 2 ^ math.min(beyond, 30))
end
