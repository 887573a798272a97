--[[
  Deletes some keys of a partition, while the caller holds the partition.

  Input:
    KEYS[1]     the partition's fence: the last token that was given out
    KEYS[2 ..]  the keys to delete
    ARGV[1]     the token of the lease

  Output:
    "applied", or "fenced" when the token is another
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
for at = 2, #KEYS do
  redis.call('UNLINK', KEYS[at])
end
return 'applied'
