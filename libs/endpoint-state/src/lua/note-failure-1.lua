--[[
  Counts a failed attempt at an endpoint, and opens its breaker where enough in a row have failed, where an attempt
  failed that was made after it had been open, or where the receiver asked for it.

  What began while or before the breaker was opened says nothing new: many attempts fail together.

  Input:
    KEYS[1]  the breaker: a hash
    ARGV[1]  the time, in milliseconds
    ARGV[2]  when the attempt began
    ARGV[3]  for how long the receiver wants no more, in milliseconds; 0 for nothing asked
    ARGV[4]  how many failures in a row open it
    ARGV[5]  for how long it is open at first; twice as long each time
    ARGV[6]  for how long at most
    ARGV[7]  a factor to that, at random
    ARGV[8]  for how long all of this is kept, in milliseconds

  Output:
    since when attempts have failed without a success, how many, and until when the breaker is open, 0 where it is not
]]
local breaker, now, begun, asked = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local failures = redis.call('HINCRBY', breaker, 'failures', 1)
redis.call('HSETNX', breaker, 'failing-since', now)
local open_until = tonumber(redis.call('HGET', breaker, 'open-until') or 0)

local wait = asked
if begun >= open_until and (open_until > 0 or failures >= tonumber(ARGV[4])) then
  local times = redis.call('HINCRBY', breaker, 'opened', 1)
  local grown = math.min(tonumber(ARGV[6]), tonumber(ARGV[5]) * 2 ^ math.min(times - 1, 32))
  wait = math.max(asked, grown * tonumber(ARGV[7]))
end
if asked > 0 then
  local before = tonumber(redis.call('HGET', breaker, 'asked-until') or 0)
  redis.call('HSET', breaker, 'asked-until', math.max(before, now + asked))
end
if wait > 0 and now + wait > open_until then
  open_until = math.floor(now + wait)
  redis.call('HSET', breaker, 'open-until', open_until)
  redis.call('HDEL', breaker, 'probed-by', 'probed-until')
end
redis.call('PEXPIRE', breaker, ARGV[8])
return { redis.call('HGET', breaker, 'failing-since'), failures, open_until }
