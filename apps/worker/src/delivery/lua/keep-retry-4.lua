--[[
  Keeps what an attempt that failed has left of a delivery, while that is in flight, unless a later one has failed since.

  Input:
    KEYS[1]  the fence: the last token that was given out for the partition
    KEYS[2]  the checkpoint
    KEYS[3]  the work in flight: a sorted set of members "<position> ...", all with score 0
    KEYS[4]  what attempts left: a hash by member
    ARGV[1]  the token
    ARGV[2]  a position that the checkpoint has reached, unless Redis has lost something
    ARGV[3]  the member
    ARGV[4]  what is left, as JSON

  Output:
    "applied", or "fenced" when the partition has gone to another one, or Redis has lost something
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
local checkpoint = redis.call('GET', KEYS[2])
if (checkpoint and cjson.decode(checkpoint).position or '') < ARGV[2] then
  return 'fenced'
end

local kept = redis.call('HGET', KEYS[4], ARGV[3])
-- One that is noted late does not take the place of the attempt after it.
local isLate = kept and cjson.decode(kept).attempts > cjson.decode(ARGV[4]).attempts
if redis.call('ZSCORE', KEYS[3], ARGV[3]) and not isLate then
  redis.call('HSET', KEYS[4], ARGV[3], ARGV[4])
end
return 'applied'
