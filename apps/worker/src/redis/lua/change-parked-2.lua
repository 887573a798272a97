--[[
  Parks a stream, or takes it off the list.

  Input:
    KEYS[1]  the fence: the last token that was given out for the partition
    KEYS[2]  the partition's parked streams: a hash by stream name
    ARGV[1]  the token
    ARGV[2]  "park", unless it is; "replace"; or "remove"
    ARGV[3]  the stream's name
    ARGV[4]  why it waits, as stored; empty to take it off

  Output:
    "applied", or "fenced" when the partition has gone to another one
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
local isThere = redis.call('HEXISTS', KEYS[2], ARGV[3]) == 1
if isThere == (ARGV[2] == 'park') then
  return 'applied'
end
if ARGV[2] == 'remove' then
  redis.call('HDEL', KEYS[2], ARGV[3])
else
  redis.call('HSET', KEYS[2], ARGV[3], ARGV[4])
end
return 'applied'
