--[[
  Reads a checkpoint, with the name of the server that keeps it.

  Input:
    KEYS[1]  the checkpoint

  Output:
    the checkpoint (false when there is none); the server: random, new with every start of one
]]
return { redis.call('GET', KEYS[1]), string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') }
