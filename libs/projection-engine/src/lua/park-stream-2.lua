--[[
  Parks a stream, unless it is, or takes it off the list.

  Input:
    KEYS[1]  the fence: the last token that was given out for the partition
    KEYS[2]  the partition's parked streams
    ARGV[1]  the token
    ARGV[2]  the stream's name
    ARGV[3]  why, as stored; empty to take it off

  Output:
    "applied", or "fenced" when the partition has gone to another one
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[2], ARGV[2])
else
  redis.call('HSETNX', KEYS[2], ARGV[2], ARGV[3])
end
return 'applied'
