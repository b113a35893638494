-- A limit's state as text: its algorithm's letter and its numbers. What another algorithm has written counts as none.
-- The numbers have at most 14 digits, which Lua writes in full.
local function readState(text, letter)
  local s = {}
  if text and string.sub(text, 1, 1) == letter then
    for number in string.gmatch(text, '%d+') do s[#s + 1] = tonumber(number) end
  end
  return s
end

local function stateText(s, letter)
  return letter .. table.concat(s, ' ')
end
