--[[
  Notes that something that was begun has ended. A mark of it stays, by which it is not begun again.

  Input:
    KEYS[1]  the fence: the last token that was given out for the partition
    KEYS[2]  the checkpoint
    KEYS[3]  the work in flight: a sorted set of members "<position> ...", all with score 0
    KEYS[4]  when each charge or refund is to be looked at: a sorted set of members by time
    KEYS[5]  what has ended: a sorted set of members
    KEYS[6]  what changed since the last record of the backup: a list of lines
    ARGV[1]  the token
    ARGV[2]  a position that the checkpoint has reached, unless Redis has lost something
    ARGV[3]  the member
    ARGV[4]  how many marks to keep: those of the newest events

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

redis.call('ZREM', KEYS[4], ARGV[3])
if redis.call('ZREM', KEYS[3], ARGV[3]) == 1 then
  redis.call('RPUSH', KEYS[6], '-' .. ARGV[3])
  redis.call('ZADD', KEYS[5], 0, ARGV[3])
  redis.call('ZREMRANGEBYRANK', KEYS[5], 0, -1 - ARGV[4])
end
return 'applied'
