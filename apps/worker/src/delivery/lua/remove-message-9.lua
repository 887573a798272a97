--[[
  Ends a message: nothing of it stays but a mark, by which a repeated batch does not enqueue it again. The
  next of its subject may go. Repeating it changes nothing.

  Input:
    KEYS[1]  the fence: the last token that was given out for the partition
    KEYS[2]  the checkpoint
    KEYS[3]  the subject queue: a sorted set of job ids by sequence
    KEYS[4]  the work in flight: a sorted set of members "<position> ...", all with score 0
    KEYS[5]  the message
    KEYS[6]  the jobs that must be there: a sorted set of job ids, all with score 0
    KEYS[7]  what has ended: a sorted set of members of the work in flight
    KEYS[8]  what changed since the last record of the backup: a list of lines
    KEYS[9]  deliveries that were given up: a sorted set of JSON that begins with the member, all with score 0
    ARGV[1]  the token
    ARGV[2]  a position that the checkpoint has reached, unless Redis has lost something
    ARGV[3]  the job's id
    ARGV[4]  the message's member of the work in flight
    ARGV[5]  how many marks to keep: those of the newest events
    ARGV[6]  where it is given up, what is to be known of that, as JSON; empty where it was delivered
    ARGV[7]  how many that were given up to keep: those of the newest events

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

if redis.call('DEL', KEYS[5]) == 1 then
  redis.call('ZREM', KEYS[3], ARGV[3])
  if redis.call('ZREM', KEYS[4], ARGV[4]) == 1 then
    redis.call('RPUSH', KEYS[8], ARGV[6] == '' and '-' .. ARGV[4] or 'x' .. ARGV[6])
  end
  redis.call('ZREM', KEYS[6], ARGV[3])
  redis.call('ZADD', KEYS[7], 0, ARGV[4])
  redis.call('ZREMRANGEBYRANK', KEYS[7], 0, -1 - ARGV[5])
  if ARGV[6] ~= '' then
    redis.call('ZADD', KEYS[9], 0, ARGV[6])
    redis.call('ZREMRANGEBYRANK', KEYS[9], 0, -1 - ARGV[7])
  end
end
local first = redis.call('ZRANGE', KEYS[3], 0, 0)[1]
if first then
  redis.call('ZADD', KEYS[6], 0, first)
end
return first
