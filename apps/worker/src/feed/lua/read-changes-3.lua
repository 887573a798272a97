--[[
  Reads how far events are worked on, and what changed since the last record of the backup, as they are at
  one moment.

  Input:
    KEYS[1]  the fence: the last token that was given out for the partition
    KEYS[2]  the checkpoint
    KEYS[3]  what changed since the last record of the backup: a list of lines
    ARGV[1]  the token
    ARGV[2]  how many lines to read, the oldest first

  Output:
    the checkpoint as stored (empty when there is none), the server: random, new with every start of one,
    how many lines there are, then the lines; or
    "fenced" when the partition has gone to another one
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 'fenced'
end
local server = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
local found = { redis.call('GET', KEYS[2]) or '', server, redis.call('LLEN', KEYS[3]) }
local lines = redis.call('LRANGE', KEYS[3], 0, ARGV[2] - 1)
for index = 1, #lines do
  found[#found + 1] = lines[index]
end
return found
