--[[
Gives back a worker number, and lowers the mark to the moment that was really used, so the next holder need not run ahead
of the clock.

KEYS[1] worker    string with a TTL: the holder
KEYS[2] mark      string: no moment after this was ever used by this worker number

ARGV[1] owner
ARGV[2] latest moment used, ms

Replies
  lost                         it ran out or someone else has it
  released
]]
local call = redis.call
if call('GET', KEYS[1]) ~= ARGV[1] then return 'lost' end
call('SET', KEYS[2], ARGV[2])
call('DEL', KEYS[1])
return 'released'
