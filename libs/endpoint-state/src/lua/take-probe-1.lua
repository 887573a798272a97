--[[
  Asks for an attempt at an endpoint whose breaker has been open: one at a time, over all processes.

  Input:
    KEYS[1]  the breaker: a hash
    ARGV[1]  the time, in milliseconds
    ARGV[2]  who asks
    ARGV[3]  for how long the attempt is waited for, in milliseconds

  Output:
    "closed" and 0, where attempts succeed again;
    "open" and until when no attempt is made;
    "probe" and until when the attempt is one's own; or
    "probed" and until when it is another's
]]
local breaker, now = KEYS[1], tonumber(ARGV[1])
local found = redis.call('HMGET', breaker, 'open-until', 'probed-by', 'probed-until')
if not found[1] then
  return { 'closed', 0 }
end
if now < tonumber(found[1]) then
  return { 'open', tonumber(found[1]) }
end
if found[2] and found[2] ~= ARGV[2] and now < tonumber(found[3]) then
  return { 'probed', tonumber(found[3]) }
end
local lasts_until = now + tonumber(ARGV[3])
redis.call('HSET', breaker, 'probed-by', ARGV[2], 'probed-until', lasts_until)
return { 'probe', lasts_until }
