--[[
Lowers what a user may have in this sale of a campaign to the units that are held or sold there: the rest is free for the
campaign's other sales. Every earlier change that comes late is refused from now on.

KEYS[1] sale      hash
KEYS[2] buyers    hash: user id -> jti,orderNo,units,state joined by ";"
KEYS[3] allowances  hash: user id -> "units number"

ARGV[1] epoch
ARGV[2] userId
ARGV[3] number    of the change; higher than those of all earlier ones of the user in the campaign

Replies
  unknown_sale
  stale_epoch
  moved                        loaded by another server, or before this one was started: it may be an older copy
  late                         a later change was here
  trimmed units                that are held or sold
]]
--@include buyer-record
local call = redis.call
local epoch, server = unpack(call('HMGET', KEYS[1], 'epoch', 'server'))
if not epoch then return 'unknown_sale' end
if epoch ~= ARGV[1] then return 'stale_epoch' end
if server ~= string.match(call('INFO', 'server'), 'run_id:(%x+)') then return 'moved' end
local last = string.match(call('HGET', KEYS[3], ARGV[2]) or '', ' (%d+)$')
if last and tonumber(last) > tonumber(ARGV[3]) then return 'late' end

local live = sumPurchases(call('HGET', KEYS[2], ARGV[2]))
call('HSET', KEYS[3], ARGV[2], string.format('%d', live) .. ' ' .. ARGV[3])
return 'trimmed ' .. string.format('%d', live)
