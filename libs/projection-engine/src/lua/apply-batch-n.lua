--[[
  Applies a batch to read models of one partition, or moves checkpoints alone: all or nothing. The part of a read model is a section: its documents, lists, parked streams and checkpoint.

  A section names the token of its lease: after another process has taken it over, nothing is applied. It
  also names the checkpoint that it starts from. When the read model stands elsewhere, it was begun anew, or
  Redis has lost something: nothing is applied. A document that is not newer than the one that is there
  refuses the whole batch, since the caller then folded from something outdated.

  Input:
    ARGV[1]  the number of sections; then for each section
      KEYS   its fence (the last token that was given out), its checkpoint, its parked streams,
             its documents, the numbers of its entries, and the list of each of the L changes of lists
      ARGV   the token; the checkpoint it starts from, as stored, empty when there is none; the checkpoint
             it leads to, empty removes it; D; L; P; U;
             D times the id of a document, and the document, which begins with "[" and its revision;
             L times "add" or "remove", score, member, name of the list;
             U names of streams that are parked no more; P times the name of a stream and why it is parked

  Output:
    "applied", "fenced" (another token or checkpoint), or "outdated" (a document is not newer)
]]
-- Lua takes no more than some thousand arguments at once.
local DOCUMENTS_AT_ONCE = 1000

local function revision(document)
  return tonumber(string.match(document, '^%[(%d+)'))
end

local sections = {}
local key, argument = 1, 2
for number = 1, tonumber(ARGV[1]) do
  local section = { key = key, argument = argument }
  for at, name in ipairs({ 'documents', 'lists', 'parked', 'unparked' }) do
    section[name] = tonumber(ARGV[argument + 2 + at])
  end
  sections[number] = section
  key = key + 5 + section.lists
  argument = argument + 7 + 2 * section.documents + 4 * section.lists + section.unparked + 2 * section.parked
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
    local present = redis.call('HGET', KEYS[section.key + 3], ARGV[at + 5 + 2 * number])
    if present and revision(present) >= revision(ARGV[at + 6 + 2 * number]) then
      return 'outdated'
    end
  end
end

-- A script that fails half-way is not undone. Lists can be changed twice, so they come first, then
-- documents, which say that the events are in; the checkpoint is last.
for _, section in ipairs(sections) do
  local checkpoint, parked = KEYS[section.key + 1], KEYS[section.key + 2]
  local next, documents = ARGV[section.argument + 2], section.argument + 7
  local at = documents + 2 * section.documents
  local counts = {}
  for number = 1, section.lists do
    local list, name = KEYS[section.key + 4 + number], ARGV[at + 3]
    local change
    if ARGV[at] == 'add' then
      change = redis.call('ZADD', list, ARGV[at + 1], ARGV[at + 2])
    else
      change = -redis.call('ZREM', list, ARGV[at + 2])
    end
    counts[name] = (counts[name] or 0) + change
    at = at + 4
  end
  for name, change in pairs(counts) do
    if change ~= 0 then
      redis.call('HINCRBY', KEYS[section.key + 4], name, change)
    end
  end
  for _ = 1, section.unparked do
    redis.call('HDEL', parked, ARGV[at])
    at = at + 1
  end
  for _ = 1, section.parked do
    redis.call('HSETNX', parked, ARGV[at], ARGV[at + 1])
    at = at + 2
  end
  for first = 0, section.documents - 1, DOCUMENTS_AT_ONCE do
    local last = math.min(first + DOCUMENTS_AT_ONCE, section.documents)
    local from, to = documents + 2 * first, documents + 2 * last - 1
    redis.call('HSET', KEYS[section.key + 3], unpack(ARGV, from, to))
  end
  if next == '' then
    redis.call('DEL', checkpoint)
  else
    redis.call('SET', checkpoint, next)
  end
end
return 'applied'
