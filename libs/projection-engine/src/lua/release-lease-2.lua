--[[
  Gives a lease back, so that another one need not wait until it runs out.

  Input:
    KEYS[1]  the fence: the last token that was given out
    KEYS[2]  the lease: its holder's name, for as long as it lasts
    ARGV[1]  the token

  Output:
    "released", or "fenced" when the partition has gone to another one
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
redis.call('DEL', KEYS[2])
return 'released'
