--[[
  Moves the checkpoint on, never back, if it is still the one that the worker knows. Redis may have
  lost it, with the jobs that go with it, wholly (the epoch is another or none) or in part (the
  position is before the one that the worker last wrote): then nothing is changed.

  Input:
    KEYS[1]  the checkpoint: a hash of epoch and position
    ARGV[1]  the epoch that the worker knows
    ARGV[2]  the position that the worker last wrote: 20 digits, or empty
    ARGV[3]  the new position: the same to ask only whether all is well

  Output:
    1 when all is well, 0 when something was lost
]]
local held = redis.call('HMGET', KEYS[1], 'epoch', 'position')
if held[1] ~= ARGV[1] then
  return 0
end
if held[2] < ARGV[2] then
  return 0
end
if held[2] < ARGV[3] then
  redis.call('HSET', KEYS[1], 'position', ARGV[3])
end
return 1
