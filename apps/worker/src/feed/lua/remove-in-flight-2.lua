--[[
  Notes that something that was begun has ended.

  Input:
    KEYS[1]  the fence: the last token that was given out for the partition
    KEYS[2]  the work in flight: a sorted set of members "<position> ...", all with score 0
    ARGV[1]  the token
    ARGV[2]  the member

  Output:
    "applied", or "fenced" when the partition has gone to another one
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
redis.call('ZREM', KEYS[2], ARGV[2])
return 'applied'
