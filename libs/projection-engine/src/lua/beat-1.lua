--[[
  Says that a process is alive, and counts those that are.

  Input:
    KEYS[1]  the members: a sorted set of names by the time until which they count, in milliseconds
    ARGV[1]  the name
    ARGV[2]  for how long it counts from now, in milliseconds; 0 takes it out

  Output:
    how many are alive
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if ARGV[2] == '0' then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
end
return redis.call('ZCARD', KEYS[1])
