--[[
  Says how far a partition's part of a test clock's step is.

  Input:
    KEYS[1]  the fence: the last token that was given out for the partition
    KEYS[2]  the answer
    ARGV[1]  the token
    ARGV[2]  the answer, as stored
    ARGV[3]  how long it is kept, in milliseconds

  Output:
    "applied", or "fenced" when the partition has gone to another one
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return 'applied'
