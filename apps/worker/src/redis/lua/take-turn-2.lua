--[[
  Asks whether it is a message's turn: it is when none stands before it in the line, also when it has
  left the line to let others pass.

  Input:
    KEYS[1]  the line: a sorted set of job ids by sequence
    KEYS[2]  the unsettled: a sorted set of members "<position> ...", all with score 0
    ARGV[1]  the job's id
    ARGV[2]  its member among the unsettled

  Output:
    "settled", "go" or "wait"
]]
if not redis.call('ZSCORE', KEYS[2], ARGV[2]) then
  return 'settled'
end
local rank = redis.call('ZRANK', KEYS[1], ARGV[1])
if rank and rank > 0 then
  return 'wait'
end
return 'go'
