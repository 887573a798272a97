--[[
  Tells where a message stands in its subject queue. One that has left the queue to let others pass counts
  as first.

  Input:
    KEYS[1]  the fence: the last token that was given out for the partition
    KEYS[2]  the checkpoint
    KEYS[3]  the subject queue: a sorted set of job ids by sequence
    KEYS[4]  the message
    ARGV[1]  the token
    ARGV[2]  a position that the checkpoint has reached, unless Redis has lost something
    ARGV[3]  the job's id

  Output:
    "ended" (there is no such message any more), "first" or "behind", or
    "fenced" when the partition has gone to another one, or Redis has lost something
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
local checkpoint = redis.call('GET', KEYS[2])
if (checkpoint and cjson.decode(checkpoint).position or '') < ARGV[2] then
  return 'fenced'
end

if redis.call('EXISTS', KEYS[4]) == 0 then
  return 'ended'
end
local rank = redis.call('ZRANK', KEYS[3], ARGV[3])
if rank and rank > 0 then
  return 'behind'
end
return 'first'
