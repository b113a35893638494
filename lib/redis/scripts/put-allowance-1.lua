--[[
Tells a sale of a campaign how many units a user may have in it. The latest number counts: a call that comes late, or
again, changes nothing.

KEYS[1] allowances  hash: user id -> "units number"

ARGV[1] userId
ARGV[2] units     an integer from 0
ARGV[3] number    of the change; higher than those of all earlier ones of the user in the campaign

Replies
  known                        this change was here
  late                         a later change was here
  put
]]
local last = string.match(redis.call('HGET', KEYS[1], ARGV[1]) or '', ' (%d+)$')
if last and tonumber(last) == tonumber(ARGV[3]) then return 'known' end
if last and tonumber(last) > tonumber(ARGV[3]) then return 'late' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
return 'put'
