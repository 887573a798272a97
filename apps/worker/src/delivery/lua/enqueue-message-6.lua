--[[
  Enqueues a message for an endpoint, in one act: the message itself, its place in the queue of its subject,
  and its entry in the work in flight. Repeating it changes nothing, also when the message has ended.

  Input:
    KEYS[1]  the fence
    KEYS[2]  the subject queue: a sorted set of job ids by sequence
    KEYS[3]  the work in flight: a sorted set of members "<position> ...", all with score 0
    KEYS[4]  the message
    KEYS[5]  the jobs that must be there: a sorted set of job ids, all with score 0
    KEYS[6]  the messages that have ended: a sorted set of members of the work in flight
    ARGV[1]  the token
    ARGV[2]  the job's id
    ARGV[3]  the message's sequence number
    ARGV[4]  its member of the work in flight
    ARGV[5]  the message, as JSON

  Output:
    "fenced", "ended" (nothing is to be done for it any more) or "enqueued" (now or before)
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
if redis.call('ZSCORE', KEYS[6], ARGV[4]) then
  return 'ended'
end
if redis.call('EXISTS', KEYS[4]) == 1 then
  return 'enqueued'
end
local before = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
redis.call('SET', KEYS[4], ARGV[5])
redis.call('ZADD', KEYS[3], 0, ARGV[4])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[2])
local first = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
if first ~= before then
  redis.call('ZADD', KEYS[5], 0, first)
  if before then
    redis.call('ZREM', KEYS[5], before)
  end
end
return 'enqueued'
