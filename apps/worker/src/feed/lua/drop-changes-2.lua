--[[
  Drops the oldest changes, which a record of the backup names now.

  Input:
    KEYS[1]  the fence: the last token that was given out for the partition
    KEYS[2]  what changed since the last record of the backup: a list of lines
    ARGV[1]  the token
    ARGV[2]  how many lines

  Output:
    "applied", or "fenced" when the partition has gone to another one
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
redis.call('LTRIM', KEYS[2], ARGV[2], -1)
return 'applied'
