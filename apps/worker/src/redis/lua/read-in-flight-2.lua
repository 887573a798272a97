--[[
  Reads a page of the work in flight, in the store's order.

  Input:
    KEYS[1]  the work in flight: a sorted set of members "<position> ...", all with score 0
    KEYS[2]  when each charge or refund is to be looked at: a sorted set of members by time
    ARGV[1]  where the page begins, as ZRANGE BYLEX takes it
    ARGV[2]  how many members at most

  Output:
    each member, then when it is to be looked at, in milliseconds; empty for never
]]
local page = {}
for _, member in ipairs(redis.call('ZRANGE', KEYS[1], ARGV[1], '+', 'BYLEX', 'LIMIT', 0, ARGV[2])) do
  page[#page + 1] = member
  page[#page + 1] = redis.call('ZSCORE', KEYS[2], member) or ''
end
return page
