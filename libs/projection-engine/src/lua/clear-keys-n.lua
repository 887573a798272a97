--[[
  Deletes some keys of a partition, while the caller holds the partition and is the one who is clearing it.

  Input:
    KEYS[1]     the partition's checkpoint
    KEYS[2]     the partition's fence
    KEYS[3 ..]  what to delete
    ARGV[1]     the token of the lease
    ARGV[2]     the checkpoint that says who is clearing, as stored

  Output:
    "applied", or "fenced" when token or checkpoint is another
]]
if redis.call('GET', KEYS[2]) ~= ARGV[1] or redis.call('GET', KEYS[1]) ~= ARGV[2] then
  return 'fenced'
end
for at = 3, #KEYS do
  redis.call('UNLINK', KEYS[at])
end
return 'applied'
