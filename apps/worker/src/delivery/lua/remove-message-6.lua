--[[
  Ends a message: nothing of it stays but a mark, by which a repeated batch does not enqueue it again. The
  next of its subject may go. Repeating it changes nothing.

  Input:
    KEYS[1]  the fence
    KEYS[2]  the subject queue: a sorted set of job ids by sequence
    KEYS[3]  the work in flight: a sorted set of members "<position> ...", all with score 0
    KEYS[4]  the message
    KEYS[5]  the jobs that must be there: a sorted set of job ids, all with score 0
    KEYS[6]  the messages that have ended: a sorted set of members of the work in flight
    ARGV[1]  the token
    ARGV[2]  the job's id
    ARGV[3]  the message's member of the work in flight
    ARGV[4]  how many marks to keep: those of the newest events

  Output:
    "fenced", the id of the job that is first now, or false when there is none
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
if redis.call('DEL', KEYS[4]) == 1 then
  redis.call('ZREM', KEYS[2], ARGV[2])
  redis.call('ZREM', KEYS[3], ARGV[3])
  redis.call('ZREM', KEYS[5], ARGV[2])
  redis.call('ZADD', KEYS[6], 0, ARGV[3])
  redis.call('ZREMRANGEBYRANK', KEYS[6], 0, -1 - ARGV[4])
end
local first = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
if first then
  redis.call('ZADD', KEYS[5], 0, first)
end
return first
