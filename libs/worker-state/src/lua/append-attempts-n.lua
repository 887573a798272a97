--[[
  Adds attempts to the logs of their endpoints, and drops those beyond the bound or too old.

  Input:
    KEYS     a log each: a stream; all are of one partition
    ARGV[1]  how many attempts a log keeps
    ARGV[2]  attempts recorded before are too old, in milliseconds since the epoch
    ARGV[3]  a log to which nothing is added ends after so many seconds
    then, for each attempt  which of the keys it goes to, from 1 on; the attempt as text

  Redis drops whole nodes of a stream (~): it looks at the first node alone where there is nothing to drop.
]]
for at = 4, #ARGV, 2 do
  redis.call('XADD', KEYS[tonumber(ARGV[at])], '*', 'v', ARGV[at + 1])
end
for _, log in ipairs(KEYS) do
  redis.call('XTRIM', log, 'MAXLEN', '~', ARGV[1])
  redis.call('XTRIM', log, 'MINID', '~', ARGV[2])
  redis.call('EXPIRE', log, ARGV[3])
end
