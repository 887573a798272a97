--[[
  Forgets the failures of an endpoint that took a message. Where the receiver has asked for a pause, it goes on: what
  was under way then may succeed.

  Input:
    KEYS[1]  the breaker: a hash
    ARGV[1]  the time, in milliseconds

  Output:
    until when the breaker is open, 0 where it is not
]]
local asked_until = tonumber(redis.call('HGET', KEYS[1], 'asked-until') or 0)
redis.call('DEL', KEYS[1])
local left = asked_until - tonumber(ARGV[1])
if left <= 0 then
  return 0
end
redis.call('HSET', KEYS[1], 'open-until', asked_until, 'asked-until', asked_until)
redis.call('PEXPIRE', KEYS[1], left)
return asked_until
