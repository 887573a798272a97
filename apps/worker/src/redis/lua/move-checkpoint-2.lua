--[[
  Moves a checkpoint, unless the partition has another holder, the checkpoint stands elsewhere, or another
  server keeps it than the one that was there when it was read: a replica that took its master's place, or
  one that started again, may lack the last writes.

  Input:
    KEYS[1]  the fence: the last token that was given out
    KEYS[2]  the checkpoint
    ARGV[1]  the token
    ARGV[2]  the checkpoint it starts from, as stored; empty when there is none
    ARGV[3]  the checkpoint it leads to; empty removes it
    ARGV[4]  the server, as `read-checkpoint` names it; empty for any, where nothing was done before

  Output:
    "applied" or "fenced"
]]
if redis.call('GET', KEYS[1]) ~= ARGV[1] or (redis.call('GET', KEYS[2]) or '') ~= ARGV[2] then
  return 'fenced'
end
if ARGV[4] ~= '' and string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') ~= ARGV[4] then
  return 'fenced'
end
if ARGV[3] == '' then
  redis.call('DEL', KEYS[2])
else
  redis.call('SET', KEYS[2], ARGV[3])
end
return 'applied'
