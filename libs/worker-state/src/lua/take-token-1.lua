--[[
  Takes one of an endpoint's tokens. Each comes back a second after it was taken: so no more attempts begin in any
  second, over all processes, and as many at once. The time is that of Redis.

  Input:
    KEYS[1]  when tokens were taken, in milliseconds with the microseconds behind them, the last first: a list
    ARGV[1]  how many tokens there are
    ARGV[2]  after how long one comes back, in milliseconds

  Output:
    0 where one was taken, else for how long none is there, in milliseconds
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local tokens, away = tonumber(ARGV[1]), tonumber(ARGV[2])
local taken = redis.call('LINDEX', KEYS[1], tokens - 1)
-- Where the clock of Redis was put back, none of them is away for longer than that.
local wait = taken and math.min(tonumber(taken) + away - now, away) or 0
if wait > 0 then
  return math.ceil(wait)
end
redis.call('LPUSH', KEYS[1], string.format('%.3f', now))
redis.call('LTRIM', KEYS[1], 0, tokens - 1)
-- Keys expire by whole milliseconds, of which this one has begun.
redis.call('PEXPIRE', KEYS[1], away + 1)
return 0
