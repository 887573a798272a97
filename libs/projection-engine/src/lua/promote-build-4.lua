--[[
  Lets the generation of a read model that was built answer from now on, in place of the one before.

  Input:
    KEYS[1]  the fence: the last token that was given out for the partition
    KEYS[2]  the checkpoint of the generation that was built
    KEYS[3]  the checkpoint of the generation that answers
    KEYS[4]  says that older generations are to be deleted
    ARGV[1]  the token
    ARGV[2]  the checkpoint of the built generation, as stored

  Output:
    "applied", or "fenced" when token or checkpoint is another
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] or redis.call('GET', KEYS[2]) ~= ARGV[2] then
  return 'fenced'
end
redis.call('SET', KEYS[3], ARGV[2])
redis.call('DEL', KEYS[2])
redis.call('SET', KEYS[4], '1')
return 'applied'
