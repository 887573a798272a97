--[[
  Reads a page of one list, or of several as if they were one, newest first, with the documents, as they are
  at one moment. No document is in two of the lists.

  Input:
    KEYS[1]     the partition's checkpoint
    KEYS[2]     the documents, by id
    KEYS[3 ..]  the lists: sorted sets of members, a time of 10 characters and an id, all with score 0
    ARGV[1]     the highest member: "+" for the first page, "(<member>" to go on behind one
    ARGV[2]     how many
    ARGV[3]     the checkpoint at which the caller read this page before, or "": while it is the same, nothing
                was written in the partition, and the page is the same

  Output:
    the checkpoint (false when there is none); unless it is the caller's or the page is empty, also an array
    of the members and one of the documents, which has null for one that is lost: both as JSON, since reading
    a hundred texts out of an answer takes the client far longer than reading two
]]
local TIME_LENGTH = 10

-- By bytes, as sorted sets have them: Lua itself compares by the server's locale.
local function isNewer(left, right)
  for at = 1, #left do
    local of_left, of_right = string.byte(left, at), string.byte(right, at) or -1
    if of_left ~= of_right then
      return of_left > of_right
    end
  end
  return false
end

local function merge(lists, count)
  local merged, heads = {}, {}
  for list = 1, #lists do
    heads[list] = 1
  end
  while #merged < count do
    local newest
    for list = 1, #lists do
      local member = lists[list][heads[list]]
      if member and (not newest or isNewer(member, lists[newest][heads[newest]])) then
        newest = list
      end
    end
    if not newest then
      break
    end
    merged[#merged + 1] = lists[newest][heads[newest]]
    heads[newest] = heads[newest] + 1
  end
  return merged
end

local checkpoint = redis.call('GET', KEYS[1])
if checkpoint == ARGV[3] then
  return { checkpoint }
end
local lists = {}
for list = 3, #KEYS do
  local members = redis.call('ZRANGE', KEYS[list], ARGV[1], '-', 'BYLEX', 'REV', 'LIMIT', 0, ARGV[2])
  if #members > 0 then
    lists[#lists + 1] = members
  end
end
if #lists == 0 then
  return { checkpoint }
end
local members = lists[1]
if #lists > 1 then
  members = merge(lists, tonumber(ARGV[2]))
end
local ids = {}
for index = 1, #members do
  ids[index] = string.sub(members[index], TIME_LENGTH + 1)
end
local documents = redis.call('HMGET', KEYS[2], unpack(ids))
for index = 1, #documents do
  documents[index] = documents[index] or 'null'
end
return { checkpoint, cjson.encode(members), '[' .. table.concat(documents, ',') .. ']' }
