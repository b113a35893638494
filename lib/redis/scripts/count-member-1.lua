--[[
Counts different members (orders, accounts) of one subject within a sliding window, each at its latest time. Telling a
member again changes nothing but that time.

KEYS[1] counter   sorted set: member -> ms; expires with the window

ARGV[1] windowMs  from 1
ARGV[2] most      members kept, the latest; a count never exceeds it
ARGV[3] now       ms; empty: this server's clock
ARGV[4] at        when it was, ms; empty: now
ARGV[5] member

Replies
  counted members  within the window, this one included
]]
--@include now-ms
local counter, windowMs, now = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[3]) or nowMs()
redis.call('ZADD', counter, 'GT', tonumber(ARGV[4]) or now, ARGV[5])
redis.call('ZREMRANGEBYSCORE', counter, '-inf', now - windowMs)
redis.call('ZREMRANGEBYRANK', counter, 0, -tonumber(ARGV[2]) - 1)
redis.call('PEXPIRE', counter, windowMs)
return 'counted ' .. redis.call('ZCARD', counter)
