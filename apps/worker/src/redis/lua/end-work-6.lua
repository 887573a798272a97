--[[
  Notes that things that were begun have ended. A mark of each stays, by which it is not begun again.

  Input:
    KEYS[1]  the fence: the last token that was given out for the partition
    KEYS[2]  the checkpoint
    KEYS[3]  the work in flight: a sorted set of members "<position> ...", all with score 0
    KEYS[4]  when each charge or refund is to be looked at: a sorted set of members by time
    KEYS[5]  the ended work: a sorted set of members
    KEYS[6]  deliveries that were given up: a sorted set of JSON that begins with the member, all with score 0
    ARGV[1]  the token
    ARGV[2]  a position that the checkpoint has reached, unless Redis has lost something
    ARGV[3]  how many marks to keep: those of the newest events
    then, for each  the member; where it was given up, its record as JSON, else empty

  Output:
    "applied", or "fenced" when the partition has gone to another one, or Redis has lost something
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
local checkpoint = redis.call('GET', KEYS[2])
if (checkpoint and cjson.decode(checkpoint).position or '') < ARGV[2] then
  return 'fenced'
end

for at = 4, #ARGV, 2 do
  local member, given_up = ARGV[at], ARGV[at + 1]
  redis.call('ZREM', KEYS[4], member)
  if redis.call('ZREM', KEYS[3], member) == 1 then
    redis.call('ZADD', KEYS[5], 0, member)
    if given_up ~= '' then
      redis.call('ZADD', KEYS[6], 0, given_up)
    end
  end
end
redis.call('ZREMRANGEBYRANK', KEYS[5], 0, -1 - ARGV[3])
return 'applied'
