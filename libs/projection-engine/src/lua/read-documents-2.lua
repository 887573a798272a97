--[[
  Reads documents together with the checkpoint, as they are at one moment.

  Input:
    KEYS[1]  the partition's checkpoint
    KEYS[2]  the documents, by id
    ARGV     the ids, one at least

  Output:
    the checkpoint and the documents in the order of their ids, each false when there is none
]]
local reply = redis.call('HMGET', KEYS[2], unpack(ARGV))
table.insert(reply, 1, redis.call('GET', KEYS[1]))
return reply
