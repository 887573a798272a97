--[[
  Names deliveries again that were given up before Redis lost them, where they are not named already; or names some no
  more, since there are newer ones.

  Input:
    KEYS[1]   the fence: the last token that was given out for the partition
    KEYS[2]   deliveries that were given up: a sorted set of JSON that begins with the member, all with score 0
    ARGV[1]   the token
    ARGV[2]   "add" or "remove"
    ARGV[3 ..]  each, as JSON

  Output:
    "applied", or "fenced" when the partition has gone to another one
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
for at = 3, #ARGV do
  if ARGV[2] == 'add' then
    redis.call('ZADD', KEYS[2], 0, ARGV[at])
  else
    redis.call('ZREM', KEYS[2], ARGV[at])
  end
end
return 'applied'
