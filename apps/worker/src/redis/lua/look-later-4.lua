--[[
  Says when charges or refunds are to be looked at next, each while it is in flight.

  Input:
    KEYS[1]  the fence: the last token that was given out for the partition
    KEYS[2]  the checkpoint
    KEYS[3]  the work in flight: a sorted set of members "<position> ...", all with score 0
    KEYS[4]  when each charge or refund is to be looked at: a sorted set of members by time
    ARGV[1]  the token
    ARGV[2]  a position that the checkpoint has reached, unless Redis has lost something
    ARGV[3]  when, in milliseconds
    ARGV[4]  one stays where it is when that is later than this, in milliseconds
    ARGV[5]  the member, and more of them behind it

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

for at = 5, #ARGV do
  local member = ARGV[at]
  local standing = tonumber(redis.call('ZSCORE', KEYS[4], member) or 0)
  if redis.call('ZSCORE', KEYS[3], member) and standing <= tonumber(ARGV[4]) then
    redis.call('ZADD', KEYS[4], ARGV[3], member)
  end
end
return 'applied'
