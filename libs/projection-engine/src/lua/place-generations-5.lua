--[[
  Puts the generations of a read model in one partition into other places: one answers, one is built, one is kept as the former one. All or nothing.

  Input:
    KEYS[1]  the fence: the last token that was given out for the partition
    KEYS[2]  the checkpoint of the generation that answers
    KEYS[3]  the checkpoint of the generation that is built
    KEYS[4]  the checkpoint of the former generation
    KEYS[5]  says that generations without a place are to be deleted
    ARGV[1]  the token
    ARGV[2]  to ARGV[4]  the three checkpoints as they are stored, empty for none
    ARGV[5]  to ARGV[7]  the three checkpoints as they are to be, empty for none

  Output:
    "applied", or "fenced" when the token or a checkpoint is another one
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
for place = 2, 4 do
  if (redis.call('GET', KEYS[place]) or '') ~= ARGV[place] then
    return 'fenced'
  end
end
for place = 2, 4 do
  local next = ARGV[place + 3]
  if next == '' then
    redis.call('DEL', KEYS[place])
  else
    redis.call('SET', KEYS[place], next)
  end
end
redis.call('SET', KEYS[5], '1')
return 'applied'
