import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalidFields } from '#nest/errors';
import type { PageQuery } from './page.dto.js';

/** Long enough that guessing one is hopeless, short enough for an address. */
const TAG_BYTES = 12;

/**
 * Page tokens: opaque, signed, and bound to the list that gave them (app, player, filters), so that
 * a foreign or altered one is refused rather than answered with a wrong page (rules/api 16).
 */
export interface PageTokens {
  /** The token of the page after `cursor`, or `""` on the last page. */
  next(list: string, cursor: string | undefined): string;
  /** The cursor in a token. @throws ApiError when the token is not one of this list. */
  read(list: string, token: string | undefined): string | undefined;
}

/**
 * The text to which the tokens of a list of documents are bound. Cursors have the format of their read
 * model: one of another version is refused, and not taken for the end of the list.
 */
export function nameDocumentList(
  { name, version }: { readonly name: string; readonly version: number },
  ...filters: readonly (string | undefined)[]
): string {
  return JSON.stringify([name, version, ...filters]);
}

/** @param keys the first one signs; tokens signed with the others are still read (rules/storage 4). */
export function createPageTokens(keys: () => readonly Buffer[]): PageTokens {
  const computeTags = (list: string, cursor: string) =>
    keys().map((key) => computeTag(key, list, cursor));
  return {
    next: (list, cursor) => {
      if (cursor === undefined) return '';
      const [tag = Buffer.alloc(0)] = computeTags(list, cursor);
      return Buffer.concat([tag, Buffer.from(cursor)]).toString('base64url');
    },
    read: (list, token) => {
      if (token === undefined || token === '') return undefined;
      const bytes = Buffer.from(token, 'base64url');
      const tag = bytes.subarray(0, TAG_BYTES);
      const cursor = bytes.subarray(TAG_BYTES).toString('utf8');
      // Decoding skips characters that are no base64url: only the very text that was given is taken.
      const isGiven = tag.length === TAG_BYTES && bytes.toString('base64url') === token;
      const isSigned = (signed: Buffer) => timingSafeEqual(tag, signed);
      if (isGiven && computeTags(list, cursor).some(isSigned)) return cursor;
      throw invalidFields([
        { field: 'pageToken', description: 'must be the nextPageToken of the same list' },
      ]);
    },
  };
}

function computeTag(key: Buffer, list: string, cursor: string): Buffer {
  return createHmac('sha256', key).update(`${list}\n${cursor}`).digest().subarray(0, TAG_BYTES);
}

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
