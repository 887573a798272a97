--[[
  Applies a batch to read models of one partition, or moves checkpoints alone: all or nothing. What a read
  model takes is a section: its documents, lists, parked streams and checkpoint.

  A section names the token of its lease: after another process has taken it over, nothing is applied. It
  also names the checkpoint that it starts from. When the read model stands elsewhere, it was begun anew, or
  Redis has lost something: nothing is applied. A document that is not newer than the one that is there
  refuses the whole batch, since the caller then folded from something outdated.

  Input:
    ARGV[1]  the number of sections; then for each section
      KEYS   its fence (the last token that was given out), its checkpoint, its parked streams,
             D documents, and the list of each of the L changes of lists
      ARGV   the token; the checkpoint it starts from, as stored, empty when there is none; the checkpoint
             it leads to, empty removes it; D; L; P; U;
             D documents, of which the first 20 characters are the revision;
             L times "add" or "remove", score, member;
             U names of streams that are parked no more; P times the name of a stream and why it is parked

  Output:
    "applied", "fenced" (another token or checkpoint), or "outdated" (a document is not newer)
]]
local REVISION = 20

local sections = {}
local key, argument = 1, 2
for number = 1, tonumber(ARGV[1]) do
  local section = { key = key, argument = argument }
  for at, name in ipairs({ 'documents', 'lists', 'parked', 'unparked' }) do
    section[name] = tonumber(ARGV[argument + 2 + at])
  end
  sections[number] = section
  key = key + 3 + section.documents + section.lists
  argument = argument + 7 + section.documents + 3 * section.lists + section.unparked + 2 * section.parked
end

for _, section in ipairs(sections) do
  local at = section.argument
  if redis.call('GET', KEYS[section.key]) ~= ARGV[at] then
    return 'fenced'
  end
  if (redis.call('GET', KEYS[section.key + 1]) or '') ~= ARGV[at + 1] then
    return 'fenced'
  end
  for number = 1, section.documents do
    -- Padded text, since numbers of Lua are inexact beyond 2^53.
    local present = redis.call('GETRANGE', KEYS[section.key + 2 + number], 0, REVISION - 1)
    if present ~= '' and present >= string.sub(ARGV[at + 6 + number], 1, REVISION) then
      return 'outdated'
    end
  end
end

-- A script that fails half-way is not undone. Lists can be changed twice, so they come first, then
-- documents, which say that the events are in; the checkpoint is last.
for _, section in ipairs(sections) do
  local checkpoint, parked = KEYS[section.key + 1], KEYS[section.key + 2]
  local next, documents = ARGV[section.argument + 2], section.argument + 6
  local at = documents + section.documents + 1
  for number = 1, section.lists do
    local list = KEYS[section.key + 2 + section.documents + number]
    if ARGV[at] == 'add' then
      redis.call('ZADD', list, ARGV[at + 1], ARGV[at + 2])
    else
      redis.call('ZREM', list, ARGV[at + 2])
    end
    at = at + 3
  end
  for _ = 1, section.unparked do
    redis.call('HDEL', parked, ARGV[at])
    at = at + 1
  end
  for _ = 1, section.parked do
    redis.call('HSETNX', parked, ARGV[at], ARGV[at + 1])
    at = at + 2
  end
  for number = 1, section.documents do
    redis.call('SET', KEYS[section.key + 2 + number], ARGV[documents + number])
  end
  if next == '' then
    redis.call('DEL', checkpoint)
  else
    redis.call('SET', checkpoint, next)
  end
end
return 'applied'
