--[[
  Lends places for attempts at an endpoint to a partition of a process, in place of those that it has. Where all want
  more than there are, none keeps more than its share when it asks again. The time is that of Redis.

  Input:
    KEYS[1]  the places that are lent: a hash by holder, of "<lent> <wanted> <until>"
    ARGV[1]  who asks
    ARGV[2]  how many it wants in all; 0 gives all of them back
    ARGV[3]  how many there are
    ARGV[4]  for how long they are lent, in milliseconds

  Output:
    how many it has now
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local holder, wanted, places = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
if wanted == 0 then
  redis.call('HDEL', KEYS[1], holder)
  return 0
end

local free, wanted_by_all, holders = places, wanted, 1
local all = redis.call('HGETALL', KEYS[1])
for at = 1, #all, 2 do
  local lent, also_wanted, lent_until = string.match(all[at + 1], '(%d+) (%d+) (%d+)')
  if all[at] ~= holder and now < tonumber(lent_until) then
    free = free - lent
    wanted_by_all = wanted_by_all + also_wanted
    holders = holders + 1
  elseif all[at] ~= holder then
    redis.call('HDEL', KEYS[1], all[at])
  end
end
if wanted_by_all > places then
  free = math.min(free, math.ceil(places / holders))
end
local lent = math.max(0, math.min(wanted, free))
local lent_until = string.format('%d', now + ARGV[4])
redis.call('HSET', KEYS[1], holder, lent .. ' ' .. wanted .. ' ' .. lent_until)
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return lent
