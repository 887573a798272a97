--[[
  Takes a message out of its subject queue, so that later ones pass it. It stays in flight, and its job must
  still be there.

  Input:
    KEYS[1]  the fence
    KEYS[2]  the subject queue: a sorted set of job ids by sequence
    KEYS[3]  the message
    KEYS[4]  the jobs that must be there: a sorted set of job ids, all with score 0
    ARGV[1]  the token
    ARGV[2]  the job's id

  Output:
    "fenced", the id of the job that is first now, or false when there is none
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
redis.call('ZREM', KEYS[2], ARGV[2])
if redis.call('EXISTS', KEYS[3]) == 1 then
  redis.call('ZADD', KEYS[4], 0, ARGV[2])
end
local first = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
if first then
  redis.call('ZADD', KEYS[4], 0, first)
end
return first
