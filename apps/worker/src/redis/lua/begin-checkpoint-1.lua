--[[
  Begins the checkpoint, unless another worker has begun it already.

  Input:
    KEYS[1]  the checkpoint: a hash of epoch and position
    ARGV[1]  the epoch to begin
    ARGV[2]  the position to begin with: 20 digits, or empty for the start

  Output:
    the epoch and the position that hold now
]]
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'position', ARGV[2])
end
return redis.call('HMGET', KEYS[1], 'epoch', 'position')
