--[[
Tells every process how the list of sales has changed. Only the process that has the turn may, and only about the copy it
knows: a process that was stopped and goes on can't bring back an older list.

KEYS[1] turn      string with a TTL: who publishes
KEYS[2] list      hash with a TTL: sale id -> JSON; "@generation" names this copy, "@n" counts what was added to the stream,
                  "@at" is when it was last published to, ms
KEYS[3] changes   stream with a TTL: "@n" and the changes of one call, sale id -> JSON

ARGV[1] owner
ARGV[2] turnMs      how long the turn lasts from now on
ARGV[3] ttlSec      of the list and its changes
ARGV[4] generation  of the copy
ARGV[5] n           of the copy; -1 = this call is all of a new one
ARGV[6…] sale id, JSON, …       none: nothing has changed, and that is told too

Replies
  lost                         somebody else has the turn, or the copy is another
  published n
]]
--@include now-ms
local call = redis.call
local list, changes, n = KEYS[2], KEYS[3], tonumber(ARGV[5])
if call('GET', KEYS[1]) ~= ARGV[1] then return 'lost' end

if n == -1 then
  call('DEL', list, changes)
  n = 0
  for at = 6, #ARGV, 2 do call('HSET', list, ARGV[at], ARGV[at + 1]) end
else
  local copy = call('HMGET', list, '@generation', '@n')
  if copy[1] ~= ARGV[4] or copy[2] ~= ARGV[5] then return 'lost' end
  if #ARGV > 5 then
    n = n + 1
    call('HSET', list, unpack(ARGV, 6))
    call('XADD', changes, 'MAXLEN', '~', 100, '*', '@n', n, unpack(ARGV, 6))
  end
end
call('HSET', list, '@generation', ARGV[4], '@n', n, '@at', nowMs())
call('PEXPIRE', KEYS[1], ARGV[2])
call('EXPIRE', list, ARGV[3])
call('EXPIRE', changes, ARGV[3])
return 'published ' .. n
