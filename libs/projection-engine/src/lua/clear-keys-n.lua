--[[
  Deletes some keys of a partition, while the caller is the one who is clearing it.

  Input:
    KEYS[1]     the partition's checkpoint
    KEYS[2 ..]  what to delete
    ARGV[1]     the checkpoint that says who is clearing, as stored

  Output:
    "applied", or "fenced" when the checkpoint is another
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
for at = 2, #KEYS do
  redis.call('UNLINK', KEYS[at])
end
return 'applied'
