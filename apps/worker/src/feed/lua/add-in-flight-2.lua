--[[
  Notes what is begun now, so that it is begun again should all else of it be lost.

  Input:
    KEYS[1]  the fence: the last token that was given out for the partition
    KEYS[2]  the work in flight: a sorted set of members "<position> ...", all with score 0
    ARGV[1]  the token
    ARGV[2 ..]  members

  Output:
    "applied", or "fenced" when the partition has gone to another one
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
for at = 2, #ARGV do
  redis.call('ZADD', KEYS[2], 0, ARGV[at])
end
return 'applied'
