--[[
  Reads a page of a list, newest first, with the documents, as they are at one moment.

  Input:
    KEYS[1]  the partition's checkpoint
    KEYS[2]  the list: a sorted set of members "<instant> <id>", all with score 0
    ARGV[1]  the highest member: "+" for the first page, "(<member>" to go on behind one
    ARGV[2]  how many
    ARGV[3]  what the keys of the documents begin with; they are in the same partition

  Output:
    the checkpoint (false when there is none), then for each member the member and its document
]]
local members = redis.call('ZRANGE', KEYS[2], ARGV[1], '-', 'BYLEX', 'REV', 'LIMIT', 0, ARGV[2])
local page = { redis.call('GET', KEYS[1]) }
for index = 1, #members do
  local id = string.sub(members[index], string.find(members[index], ' ', 1, true) + 1)
  page[#page + 1] = members[index]
  page[#page + 1] = redis.call('GET', ARGV[3] .. id)
end
return page
