--[[
  Tells where a message stands in its subject queue. One that has left the queue to let others pass counts
  as first.

  Input:
    KEYS[1]  the fence
    KEYS[2]  the subject queue: a sorted set of job ids by sequence
    KEYS[3]  the message
    ARGV[1]  the token
    ARGV[2]  the job's id

  Output:
    "fenced", "ended" (there is no such message any more), "first" or "behind"
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
if redis.call('EXISTS', KEYS[3]) == 0 then
  return 'ended'
end
local rank = redis.call('ZRANK', KEYS[2], ARGV[2])
if rank and rank > 0 then
  return 'behind'
end
return 'first'
