--[[
  Notes the work that is begun now, so that it is begun again should all else of it be lost. Ended work is not
  begun again, unless the caller knows that it has not ended in truth.

  Input:
    KEYS[1]  the fence: the last token that was given out for the partition
    KEYS[2]  the checkpoint
    KEYS[3]  the work in flight: a sorted set of members "<position> ...", all with score 0
    KEYS[4]  when each charge or refund is to be looked at: a sorted set of members by time
    KEYS[5]  the ended work: a sorted set of members
    ARGV[1]  the token
    ARGV[2]  a position that the checkpoint has reached, unless Redis has lost something
    ARGV[3]  "again", where marks of ended work do not count and are removed; else empty
    then, for each  the member; when it is to be looked at, in milliseconds, empty for never

  Output:
    the members that are in flight now, or
    "fenced" when the partition has gone to another one, or Redis has lost something
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
local checkpoint = redis.call('GET', KEYS[2])
if (checkpoint and cjson.decode(checkpoint).position or '') < ARGV[2] then
  return 'fenced'
end

local begun = {}
for at = 4, #ARGV, 2 do
  local member = ARGV[at]
  if ARGV[3] == 'again' then
    redis.call('ZREM', KEYS[5], member)
  end
  if not redis.call('ZSCORE', KEYS[5], member) then
    redis.call('ZADD', KEYS[3], 0, member)
    if ARGV[at + 1] ~= '' then
      redis.call('ZADD', KEYS[4], 'NX', ARGV[at + 1], member)
    end
    begun[#begun + 1] = member
  end
end
return begun
