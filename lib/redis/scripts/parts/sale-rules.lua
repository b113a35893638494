-- Reads what decides a purchase of KEYS[1]: the sale's rules, its tiers, the time, and the user's purchases (KEYS[2]).
local call, format, match = redis.call, string.format, string.match
local sale, buyers = KEYS[1], KEYS[2]
local info = call('HMGET', sale, 'rules', 'total', 'available', 'held', 'sold', 'limits')
local startsAt, endsAt, limit, current, flags, gate = match(info[1] or '', '^(%d+) (%d+) (%d+) (%d+) (%d+) (.*)$')
local closed, paused, limited, reservedOnly, shared, awaited = string.byte(flags or '', 1, 6)
local YES = 49
local time = call('TIME')
local acceptedAt = time[1] .. string.sub('00000' .. time[2], -6, -4)
local now = tonumber(acceptedAt)
startsAt, endsAt, limit = tonumber(startsAt), tonumber(endsAt), tonumber(limit)
--@include tiers
-- The user's purchases so far, those of this call included.
local records = {}
