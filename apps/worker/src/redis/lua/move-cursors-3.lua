--[[
  Moves the cursors of backlogged endpoints, or takes them away.

  Input:
    KEYS[1]  the fence: the last token that was given out for the partition
    KEYS[2]  the checkpoint
    KEYS[3]  the cursors: a hash of positions by endpoint
    ARGV[1]  the token
    ARGV[2]  a position that the checkpoint has reached, unless Redis has lost something
    then, for each  the endpoint's id; the position, empty where it is backlogged no more

  Output:
    "applied", or "fenced" when the partition has gone to another one, or Redis has lost something
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
local checkpoint = redis.call('GET', KEYS[2])
if (checkpoint and cjson.decode(checkpoint).position or '') < ARGV[2] then
  return 'fenced'
end

for at = 3, #ARGV, 2 do
  if ARGV[at + 1] == '' then
    redis.call('HDEL', KEYS[3], ARGV[at])
  else
    redis.call('HSET', KEYS[3], ARGV[at], ARGV[at + 1])
  end
end
return 'applied'
