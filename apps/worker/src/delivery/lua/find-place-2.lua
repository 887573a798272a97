--[[
  Tells where a message stands in its subject queue. One that has left the queue to let others pass counts
  as first.

  Input:
    KEYS[1]  the subject queue: a sorted set of job ids by sequence
    KEYS[2]  the work in flight: a sorted set of members "<position> ...", all with score 0
    ARGV[1]  the job's id
    ARGV[2]  its member of the work in flight

  Output:
    "ended" (it is in flight no more), "first" or "behind"
]]
if not redis.call('ZSCORE', KEYS[2], ARGV[2]) then
  return 'ended'
end
local rank = redis.call('ZRANK', KEYS[1], ARGV[1])
if rank and rank > 0 then
  return 'behind'
end
return 'first'
