--[[
  Takes the lease of a partition that is free, under a token that no one had before. The former holder changes nothing from then on: every act of ours names a token, and this one is new.

  Input:
    KEYS[1]  the fence: the last token that was given out, "<epoch> <counter> <random>"
    KEYS[2]  the lease: its holder's name, for as long as it lasts
    ARGV[1]  the holder's name; one that starts again takes its own lease over at once
    ARGV[2]  how long the lease lasts, in milliseconds
    ARGV[3]  a random text: the epoch of a partition that has none, since Redis was empty; and in the token,
             since a Redis that lost its last second counts it again

  Output:
    the token; false when another one holds the lease
]]
local holder = redis.call('GET', KEYS[2])
if holder and holder ~= ARGV[1] then
  return false
end
local last = redis.call('GET', KEYS[1])
local epoch, counter = ARGV[3], 0
if last then
  epoch, counter = string.match(last, '^(%S+) (%d+)')
end
local token = epoch .. ' ' .. string.format('%d', tonumber(counter) + 1) .. ' ' .. ARGV[3]
redis.call('SET', KEYS[1], token)
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
return token
