import { createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError, invalidFields } from '#nest/errors';
import type { Projection } from '#projection-engine/define';
import type { PageQuery } from './page.dto.js';

/** Long enough that guessing one is hopeless, short enough for an address. */
const TAG_BYTES = 12;
/** The order of a list that was never ordered otherwise. */
const FIRST_ORDER = 1;
/** The order, and the cursor behind it. */
const PLACE = /^([1-9]\d{0,8}) (.*)$/s;

/** A list that is paged. */
export interface PagedList {
  /** Its name, with all that it is filtered by: the tokens of a list are bound to it. */
  readonly name: string;
  /** The version with which its order last changed: cursors mean something in one order alone. */
  readonly order: number;
}

/**
 * Page tokens: opaque, signed, and bound to the list that gave them (app, player, filters), so that
 * a foreign or altered one is refused rather than answered with a wrong page (rules/api 16). Each says in which order of
 * the list it was given. A text names a list that has one order for ever.
 */
export interface PageTokens {
  /** The token of the page after `cursor`, or `""` on the last page. */
  next(list: PagedList | string, cursor: string | undefined): string;
  /**
   * The cursor in a token.
   *
   * @throws ApiError when the token is not one of this list, or of another order of it.
   */
  read(list: PagedList | string, token: string | undefined): string | undefined;
}

/**
 * A list of documents. Its tokens outlive each version of the read model that leaves the order as it was: releases that
 * answer side by side, and one that was gone back to, go on with each other's.
 */
export function identifyDocumentList(
  { name, orderedSince = FIRST_ORDER }: Pick<Projection<never>, 'name' | 'orderedSince'>,
  ...filters: readonly (string | undefined)[]
): PagedList {
  return { name: JSON.stringify([name, ...filters]), order: orderedSince };
}

/** @param keys the first one signs; tokens signed with the others are still read (rules/storage 4). */
export function createPageTokens(keys: () => readonly Buffer[]): PageTokens {
  const computeTags = (list: PagedList, cursor: string) =>
    keys().map((key) => computeTag(key, list, cursor));
  return {
    next: (paged, cursor) => {
      if (cursor === undefined) return '';
      const list = identify(paged);
      const [tag = Buffer.alloc(0)] = computeTags(list, cursor);
      return Buffer.concat([tag, Buffer.from(`${list.order} ${cursor}`)]).toString('base64url');
    },
    read: (paged, token) => {
      if (token === undefined || token === '') return undefined;
      const { name, order } = identify(paged);
      const bytes = Buffer.from(token, 'base64url');
      const tag = bytes.subarray(0, TAG_BYTES);
      const [, found, cursor] = PLACE.exec(bytes.subarray(TAG_BYTES).toString('utf8')) ?? [];
      // Decoding skips characters that are no base64url: only the very text that was given is taken.
      const isGiven = tag.length === TAG_BYTES && bytes.toString('base64url') === token;
      if (!isGiven || cursor === undefined) throw foreignToken();
      const given = { name, order: Number(found) };
      const isSigned = (signed: Buffer) => timingSafeEqual(tag, signed);
      if (!computeTags(given, cursor).some(isSigned)) throw foreignToken();
      if (given.order !== order) throw listOrderChanged();
      return cursor;
    },
  };
}

function identify(list: PagedList | string): PagedList {
  return typeof list === 'string' ? { name: list, order: FIRST_ORDER } : list;
}

function computeTag(key: Buffer, { name, order }: PagedList, cursor: string): Buffer {
  const signed = `${name}\n${order}\n${cursor}`;
  return createHmac('sha256', key).update(signed).digest().subarray(0, TAG_BYTES);
}

function foreignToken(): ApiError {
  return invalidFields([
    { field: 'pageToken', description: 'must be the nextPageToken of the same list' },
  ]);
}

/** Also of an order that is newer than this release: its cursor would be taken for another place of the list. */
function listOrderChanged(): ApiError {
  return new ApiError('ABORTED', {
    reason: 'LIST_ORDER_CHANGED',
    message:
      'This list is in another order than the one in which the pageToken was given. ' +
      'Read it again from its first page, without a pageToken.',
  });
}

/**
 * One page of a list that is held in memory, sorted by `keyOf`. The token names the last key that was shown, never an
 * offset: items added or removed meanwhile shift nothing.
 */
export function cutPage<Item>(
  sorted: readonly Item[],
  keyOf: (item: Item) => string,
  query: PageQuery,
  list: PagedList | string,
  tokens: PageTokens,
): { items: Item[]; nextPageToken: string } {
  const after = tokens.read(list, query.pageToken);
  const rest = after === undefined ? sorted : sorted.filter((item) => keyOf(item) > after);
  const items = rest.slice(0, query.limit);
  const last = items.at(-1);
  const hasMore = rest.length > items.length && last !== undefined;
  return { items, nextPageToken: tokens.next(list, hasMore ? keyOf(last) : undefined) };
}
