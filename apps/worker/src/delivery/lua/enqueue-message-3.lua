--[[
  Puts a message into the queue of its endpoint and subject, and among the work in flight, unless its job
  is there already: waiting, or finished and still remembered. Repeating it changes nothing.

  Input:
    KEYS[1]  the subject queue: a sorted set of job ids by sequence
    KEYS[2]  the work in flight: a sorted set of members "<position> ...", all with score 0
    KEYS[3]  the job
    ARGV[1]  the job's id
    ARGV[2]  the message's sequence number
    ARGV[3]  its member of the work in flight

  Output:
    1 when the job is to be added, 0 when there is nothing to do
]]
if redis.call('EXISTS', KEYS[3]) == 1 then
  return 0
end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('ZADD', KEYS[2], 0, ARGV[3])
return 1
