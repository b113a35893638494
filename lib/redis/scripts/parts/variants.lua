-- The units left of each of a sale's variants, in their order, joined by a space; empty or missing = it has none.

-- Parses them to a list of words, which cost half as much as numbers to write again; false = there are none, nil = they don't add
-- up to the units for sale, or `variant` is none of them. A caller that may sell any leaves `variant` out.
local function parseVariants(text, available, variant)
  if (text or '') == '' then return false end
  if string.find(text, '-', 1, true) then return nil end
  local variants, sum, count = {}, 0, 0
  for word in string.gmatch(text, '%d+') do
    count = count + 1
    variants[count] = word
    sum = sum + word
  end
  if sum ~= available or variant and not variants[variant] then return nil end
  return variants
end

-- Writes them.
local function writeVariants(sale, variants)
  redis.call('HSET', sale, 'variants', table.concat(variants, ' '))
end
