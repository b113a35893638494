--[[
Stops a sale before it is loaded again, and names the server that did so. It has another name after each start and after a
failover.

KEYS[1] sale      hash; may be missing

Replies
  withdrawn runId
]]
redis.call('UNLINK', KEYS[1])
return 'withdrawn ' .. string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
