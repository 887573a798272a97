--[[
  Keeps states of streams. Where there are too many, any of them go: each can be folded again.

  Input:
    KEYS[1]  the states: a hash by the streams' ids
    ARGV[1]  how many to keep at most
    ARGV[2]  how long to keep them when none is written any more, in seconds
    then, for each  the stream's id; its state

  Output:
    how many had to go
]]
redis.call('HSET', KEYS[1], unpack(ARGV, 3))
redis.call('EXPIRE', KEYS[1], ARGV[2])
local excess = redis.call('HLEN', KEYS[1]) - ARGV[1]
if excess <= 0 then
  return 0
end
return redis.call('HDEL', KEYS[1], unpack(redis.call('HRANDFIELD', KEYS[1], excess)))
