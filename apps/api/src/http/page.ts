import type { PageQuery } from './page.dto.js';
import type { PageTokens } from './page-token.js';

/**
 * One page of a list that is held in memory, sorted by `keyOf`. The token names the last key that was shown, never an
 * offset: items added or removed meanwhile shift nothing.
 */
export function cutPage<Item>(
  sorted: readonly Item[],
  keyOf: (item: Item) => string,
  query: PageQuery,
  list: string,
  tokens: PageTokens,
): { items: Item[]; nextPageToken: string } {
  const after = tokens.read(list, query.pageToken);
  const rest = after === undefined ? sorted : sorted.filter((item) => keyOf(item) > after);
  const items = rest.slice(0, query.limit);
  const last = items.at(-1);
  const hasMore = rest.length > items.length && last !== undefined;
  return { items, nextPageToken: tokens.next(list, hasMore ? keyOf(last) : undefined) };
}
