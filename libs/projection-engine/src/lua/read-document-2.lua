--[[
  Reads a document together with the checkpoint, as they are at one moment.

  Input:
    KEYS[1]  the partition's checkpoint
    KEYS[2]  the documents, by id
    ARGV[1]  the id

  Output:
    the checkpoint and the document, each false when there is none
]]
return { redis.call('GET', KEYS[1]), redis.call('HGET', KEYS[2], ARGV[1]) }
