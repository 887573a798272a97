--[[
  Enqueues a message for an endpoint, in one act: the message itself, its place in the queue of its subject,
  and its entry in the work in flight. Repeating it changes nothing, also when the message has ended.

  Input:
    KEYS[1]  the fence: the last token that was given out for the partition
    KEYS[2]  the checkpoint
    KEYS[3]  the subject queue: a sorted set of job ids by sequence
    KEYS[4]  the work in flight: a sorted set of members "<position> ...", all with score 0
    KEYS[5]  the message
    KEYS[6]  the jobs that must be there: a sorted set of job ids, all with score 0
    KEYS[7]  what has ended: a sorted set of members of the work in flight
    KEYS[8]  what changed since the last record of the backup: a list of lines
    ARGV[1]  the token
    ARGV[2]  a position that the checkpoint has reached, unless Redis has lost something
    ARGV[3]  the job's id
    ARGV[4]  the message's sequence number
    ARGV[5]  its member of the work in flight
    ARGV[6]  the message, as JSON

  Output:
    "ended" (nothing is to be done for it any more), "enqueued" (now or before), or
    "fenced" when the partition has gone to another one, or Redis has lost something
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
local checkpoint = redis.call('GET', KEYS[2])
if (checkpoint and cjson.decode(checkpoint).position or '') < ARGV[2] then
  return 'fenced'
end

if redis.call('ZSCORE', KEYS[7], ARGV[5]) then
  return 'ended'
end
if redis.call('EXISTS', KEYS[5]) == 1 then
  return 'enqueued'
end
local before = redis.call('ZRANGE', KEYS[3], 0, 0)[1]
redis.call('SET', KEYS[5], ARGV[6])
if redis.call('ZADD', KEYS[4], 0, ARGV[5]) == 1 then
  redis.call('RPUSH', KEYS[8], '+' .. ARGV[5])
end
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[3])
local first = redis.call('ZRANGE', KEYS[3], 0, 0)[1]
if first ~= before then
  redis.call('ZADD', KEYS[6], 0, first)
  if before then
    redis.call('ZREM', KEYS[6], before)
  end
end
return 'enqueued'
