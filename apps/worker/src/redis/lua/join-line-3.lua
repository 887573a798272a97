--[[
  Lets a message join the line of its endpoint and subject, unless its job is there already: waiting,
  or finished and still remembered. Repeating it changes nothing.

  Input:
    KEYS[1]  the line: a sorted set of job ids by sequence
    KEYS[2]  the unsettled: a sorted set of members "<position> ...", all with score 0
    KEYS[3]  the job
    ARGV[1]  the job's id
    ARGV[2]  the message's sequence number
    ARGV[3]  its member among the unsettled

  Output:
    1 when the job is to be added, 0 when there is nothing to do
]]
if redis.call('EXISTS', KEYS[3]) == 1 then
  return 0
end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('ZADD', KEYS[2], 0, ARGV[3])
return 1
