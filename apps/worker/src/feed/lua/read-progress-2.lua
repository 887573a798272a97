--[[
  Reads how far events are worked on, and what of it is still in flight, as they are at one moment.

  Input:
    KEYS[1]  the checkpoint
    KEYS[2]  the work in flight: a sorted set of members "<position> ...", all with score 0
    ARGV[1]  how many of the members to read, the oldest first

  Output:
    the checkpoint as stored (false when there is none), then the members
]]
local progress = { redis.call('GET', KEYS[1]) }
local members = redis.call('ZRANGE', KEYS[2], '-', '+', 'BYLEX', 'LIMIT', 0, ARGV[1])
for index = 1, #members do
  progress[#progress + 1] = members[index]
end
return progress
