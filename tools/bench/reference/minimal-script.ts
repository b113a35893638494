/**
 * The smallest purchase Redis can do: check that something is left, take one, remember the user. KEYS: stock, buyers;
 * ARGV: user.
 */
export const MINIMAL_SCRIPT = `
local left = tonumber(redis.call('GET', KEYS[1]))
if not left or left < 1 then return -1 end
redis.call('DECR', KEYS[1])
redis.call('SADD', KEYS[2], ARGV[1])
return left - 1`;
