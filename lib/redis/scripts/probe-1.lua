--[[
Says under which epoch a sale is loaded, and whether this server itself loaded it, since its last start. If not, it was
restarted from a file or promoted from a replica, and what it holds may be older than what was answered.

KEYS[1] sale      hash; "server" is the run id of the server that loaded it, "loadedAt" when, in ms

Replies
  unknown_sale
  moved epoch                  loaded by another server, or before this one was started
  loaded epoch ageMs           ageMs: for how long it has been
]]
--@include now-ms
local call = redis.call
local info = call('HMGET', KEYS[1], 'epoch', 'server', 'loadedAt')
if not info[1] then return 'unknown_sale' end
if info[2] ~= string.match(call('INFO', 'server'), 'run_id:(%x+)') then return 'moved ' .. info[1] end
local ageMs = nowMs() - tonumber(info[3] or 0)
return 'loaded ' .. info[1] .. string.format(' %.0f', ageMs)
