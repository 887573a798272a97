--[[
  Takes a message out of its line, so that the next may go, and, if it is settled, out of the
  unsettled.

  Input:
    KEYS[1]  the line: a sorted set of job ids by sequence
    KEYS[2]  the unsettled: a sorted set of members "<position> ...", all with score 0
    ARGV[1]  the job's id
    ARGV[2]  its member among the unsettled; empty when it is not settled

  Output:
    the id of the job that is first now, false when there is none
]]
redis.call('ZREM', KEYS[1], ARGV[1])
if ARGV[2] ~= '' then
  redis.call('ZREM', KEYS[2], ARGV[2])
end
return redis.call('ZRANGE', KEYS[1], 0, 0)[1]
