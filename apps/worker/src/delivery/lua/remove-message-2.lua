--[[
  Takes a message out of its subject queue, so that the next may go, and, if it has ended, out of the
  work in flight.

  Input:
    KEYS[1]  the subject queue: a sorted set of job ids by sequence
    KEYS[2]  the work in flight: a sorted set of members "<position> ...", all with score 0
    ARGV[1]  the job's id
    ARGV[2]  its member of the work in flight; empty when it stays in flight

  Output:
    the id of the job that is first now, false when there is none
]]
redis.call('ZREM', KEYS[1], ARGV[1])
if ARGV[2] ~= '' then
  redis.call('ZREM', KEYS[2], ARGV[2])
end
return redis.call('ZRANGE', KEYS[1], 0, 0)[1]
