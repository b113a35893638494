--[[
Counts one call for each key, one after the other, by the leaky bucket in parts/leaky-bucket.lua.

KEYS[1] counts    string and so is every further one: what has been counted for one user, address or interface. A key
                  that is given twice counts twice.

ARGV[1] limit     calls
ARGV[2] windowMs

Replies, one for each key, a line each
  admitted
  refused waitMs               not counted; after that time one would be let through
]]
--@include leaky-bucket
local take, letter = leakyBucket, 'l'
--@include take-each
