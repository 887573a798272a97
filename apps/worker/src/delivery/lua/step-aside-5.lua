--[[
  Takes a message out of its subject queue, so that later ones pass it. It stays in flight, and its job must
  still be there.

  Input:
    KEYS[1]  the fence: the last token that was given out for the partition
    KEYS[2]  the checkpoint
    KEYS[3]  the subject queue: a sorted set of job ids by sequence
    KEYS[4]  the message
    KEYS[5]  the jobs that must be there: a sorted set of job ids, all with score 0
    ARGV[1]  the token
    ARGV[2]  a position that the checkpoint has reached, unless Redis has lost something
    ARGV[3]  the job's id

  Output:
    the id of the job that is first now, or false when there is none; or
    "fenced" when the partition has gone to another one, or Redis has lost something
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
local checkpoint = redis.call('GET', KEYS[2])
if (checkpoint and cjson.decode(checkpoint).position or '') < ARGV[2] then
  return 'fenced'
end

redis.call('ZREM', KEYS[3], ARGV[3])
if redis.call('EXISTS', KEYS[4]) == 1 then
  redis.call('ZADD', KEYS[5], 0, ARGV[3])
end
local first = redis.call('ZRANGE', KEYS[3], 0, 0)[1]
if first then
  redis.call('ZADD', KEYS[5], 0, first)
end
return first
