--[[
  Prolongs a lease, also one that ran out and that no other process took.

  Input:
    KEYS[1]  the fence: the last token that was given out
    KEYS[2]  the lease: its holder's name, for as long as it lasts
    ARGV[1]  the token
    ARGV[2]  the holder's name
    ARGV[3]  how long the lease lasts from now, in milliseconds

  Output:
    "renewed", or "fenced" when the partition has gone to another one
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return 'renewed'
