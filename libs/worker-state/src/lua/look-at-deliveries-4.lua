--[[
  Whether every delivery of an event has ended: delivered, or given up.

  Input:
    KEYS[1]  the checkpoint: JSON
    KEYS[2]  streams that are parked: a hash by their names
    KEYS[3]  backlogged endpoints: a hash of positions by their ids
    KEYS[4]  the work in flight: a sorted set of members "<position> ...", all with score 0
    ARGV[1]  the position of the event
    ARGV[2]  the name of its stream
    then, for each endpoint that is sent a message of the event  its id

  Output:
    1, or 0 where one has not ended, or Redis does not know of the event yet, or any more
]]
local checkpoint = redis.call('GET', KEYS[1])
if not checkpoint or cjson.decode(checkpoint).position < ARGV[1] then
  return 0
end
if redis.call('HEXISTS', KEYS[2], ARGV[2]) == 1 then
  return 0
end
for at = 3, #ARGV do
  local cursor = redis.call('HGET', KEYS[3], ARGV[at])
  if cursor and cursor < ARGV[1] then
    return 0
  end
end
-- An exclamation mark follows a space in the order of bytes.
local first, last = '[' .. ARGV[1] .. ' ', '(' .. ARGV[1] .. '!'
local found = redis.call('ZRANGEBYLEX', KEYS[4], first, last, 'LIMIT', 0, 1)
return #found == 0 and 1 or 0
