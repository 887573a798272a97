--[[
  Applies a batch of one partition: documents, lists, parked streams and the checkpoint, all or nothing.

  A batch names the token of its partition's lease: after another process has taken the partition over,
  nothing is applied. It also names the checkpoint that it starts from. When the partition stands elsewhere,
  it was cleared, or Redis has lost something: nothing is applied. A document that is not newer than the one
  that is there refuses the whole batch, since the caller then folded from something outdated.
  A batch without documents moves the checkpoint alone.

  Input:
    KEYS[1]            the partition's checkpoint
    KEYS[2]            the partition's parked streams
    KEYS[3]            the partition's fence: the last token that was given out
    KEYS[4 .. 3+D]     documents
    KEYS[4+D .. ]      the list of each of the changes of lists
    ARGV[1]            the token of the lease
    ARGV[2]            the checkpoint it starts from, as stored; empty when there is none
    ARGV[3]            the checkpoint it leads to; empty removes it
    ARGV[4]            D, the number of documents
    ARGV[5 .. 4+D]     documents; the first 20 characters are the revision
    then, each change  "add" or "remove", score, member
    then, each parked  stream name, why

  Output:
    "applied", "fenced" (another token or checkpoint), or "outdated" (a document is not newer)
]]
local REVISION = 20

if redis.call('GET', KEYS[3]) ~= ARGV[1] then
  return 'fenced'
end
local standing = redis.call('GET', KEYS[1]) or ''
if standing ~= ARGV[2] then
  return 'fenced'
end

local documents = tonumber(ARGV[4])
for at = 1, documents do
  -- Padded text, since numbers of Lua are inexact beyond 2^53.
  local present = redis.call('GETRANGE', KEYS[3 + at], 0, REVISION - 1)
  if present ~= '' and present >= string.sub(ARGV[4 + at], 1, REVISION) then
    return 'outdated'
  end
end

-- A script that fails half-way is not undone. Lists can be changed twice, so they come first, then
-- documents, which say that the events are in; the checkpoint is last.
local argument = 5 + documents
for at = 4 + documents, #KEYS do
  if ARGV[argument] == 'add' then
    redis.call('ZADD', KEYS[at], ARGV[argument + 1], ARGV[argument + 2])
  else
    redis.call('ZREM', KEYS[at], ARGV[argument + 2])
  end
  argument = argument + 3
end
for at = argument, #ARGV, 2 do
  redis.call('HSETNX', KEYS[2], ARGV[at], ARGV[at + 1])
end
for at = 1, documents do
  redis.call('SET', KEYS[3 + at], ARGV[4 + at])
end
if ARGV[3] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[3])
end
return 'applied'
