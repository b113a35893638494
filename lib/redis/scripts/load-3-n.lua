--[[
Warm-up and rebuild: writes the whole sale under a new epoch. Only a higher epoch replaces what is there, so two
processes that warm up the same sale, or one that comes late, do no harm. Never sets a TTL: stock keys don't expire.

KEYS[1] sale      hash; "server" is the run id of this server: a copy of the keys elsewhere, or later, is not trusted;
                 "loadedAt" is now, in ms
KEYS[2] buyers    hash
KEYS[3] staged    hash: the buyers of a rebuild, written ahead; becomes KEYS[2]
KEYS[4…] only where the sale has a waitlist: who waits, written ahead

ARGV[1] epoch
ARGV[2] 1 = KEYS[3] replaces the buyers (none there: no buyers), 0 = the buyers stay as they are
ARGV[3] gate
ARGV[4] startsAt  ms
ARGV[5] endsAt    ms
ARGV[6] limit     units per user
ARGV[7] paused    0 or 1
ARGV[8] closed    0 or 1
ARGV[9] soldOutAt ms, or empty: when a unit was last taken
ARGV[10] total    -1 = unlimited
ARGV[11] available
ARGV[12] held
ARGV[13] sold
ARGV[14] limits   algorithm limit windowMs of the user's, the interface's, the address's and, perhaps, the device's; empty = none
ARGV[15] reservedOnly  0 or 1
ARGV[16] parcel   of a slice: a number that no parcel had before, later ones come and go; empty = the sale has one slice
ARGV[17] shared   0 or 1: a campaign limits what a person may have over all its sales
ARGV[18] variants    units left of each variant, joined by a space; empty = the sale has none
ARGV[19] waitlist 1 = the sale has one, 0 = nobody joins any more; it and the next two only with KEYS[4]
ARGV[20] lastPlace  the last number that somebody on it had
ARGV[21] graceMs  for so long nothing is given on: purchases that were answered and then lost come first

Replies
  stale_epoch                  a higher epoch is loaded
  already_loaded               this epoch is loaded
  loaded
]]
--@include note-waiting
--@include now-ms
--@include write-rules
local call = redis.call
local sale, buyers, staged = KEYS[1], KEYS[2], KEYS[3]

local current = tonumber(call('HGET', sale, 'epoch') or 0)
local epoch = tonumber(ARGV[1])
if current > epoch then return 'stale_epoch' end
if current == epoch then return 'already_loaded' end

if ARGV[2] == '1' then
  call('UNLINK', buyers)
  if call('EXISTS', staged) == 1 then
    call('RENAME', staged, buyers)
    call('PERSIST', buyers)
  end
end
call('DEL', sale)
local now = nowMs()
-- The fields of a purchase come first: Redis searches a small hash from its front.
call('HSET', sale, 'rules', '', 'total', ARGV[10], 'available', ARGV[11], 'held', ARGV[12], 'sold', ARGV[13],
  'limits', ARGV[14], 'variants', ARGV[18], 'soldOutAt', ARGV[9], 'epoch', ARGV[1], 'gate', ARGV[3], 'startsAt', ARGV[4], 'endsAt', ARGV[5], 'limit', ARGV[6],
  'paused', ARGV[7], 'closed', ARGV[8], 'reservedOnly', ARGV[15], 'shared', ARGV[17] or '0',
  'server', string.match(call('INFO', 'server'), 'run_id:(%x+)'),
  'loadedAt', string.format('%.0f', now))
if (ARGV[16] or '') ~= '' then call('HSET', sale, 'taken', ARGV[16], 'given', ARGV[16], 'sent', '0') end
writeRules(sale)
local waitlist = unpack(KEYS, 4)
if waitlist then
  call('HSET', sale, 'waitlist', ARGV[19], 'lastPlace', ARGV[20], 'serveFrom', string.format('%.0f', now + ARGV[21]))
  noteWaiting(sale, waitlist)
end
return 'loaded'
