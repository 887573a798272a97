--[[
  Reads how far events are worked off, and what of it is not settled yet, as they are at one moment.

  Input:
    KEYS[1]  the checkpoint: a hash of epoch and position
    KEYS[2]  the unsettled: a sorted set of members "<position> ...", all with score 0
    ARGV[1]  how many of them to read, the oldest first

  Output:
    the position (false when there is none), then the members
]]
local progress = { redis.call('HGET', KEYS[1], 'position') }
local members = redis.call('ZRANGE', KEYS[2], '-', '+', 'BYLEX', 'LIMIT', 0, ARGV[1])
for index = 1, #members do
  progress[#progress + 1] = members[index]
end
return progress
