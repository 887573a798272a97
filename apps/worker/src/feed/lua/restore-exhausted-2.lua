--[[
  Names again the deliveries that were given up before Redis lost them. What is named already stays.

  Input:
    KEYS[1]   the fence: the last token that was given out for the partition
    KEYS[2]   deliveries that were given up: a sorted set of JSON that begins with the member, all with score 0
    ARGV[1]   the token
    ARGV[2 ..]  each, as JSON

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
