import type { ItemOrigin } from '../payment/index.js';

/** The part of an app's policy (rules/finance 30) by which its events are posted. */
export interface PostingPolicy {
  /** The accounting zone, of the IANA database. */
  readonly zone: string;
  /** The first that matches an item counts; items that match none are earned at once. */
  readonly itemClasses: readonly ItemClass[];
}

/** Items of which the player has something for so many days, or which are used up at once. */
export interface ItemClass {
  readonly match: ItemMatch;
  readonly name: string;
  /** The days over which they are earned; null where that is at once. */
  readonly lifeDays: number | null;
}

/** By the whole id of an item, by its beginning, or by a value in its metadata. */
export type ItemMatch =
  | { readonly id: string }
  | { readonly prefix: string }
  | { readonly metadata: { readonly key: string; readonly value: string } };

/** The policy of an app that has set none. */
export const DEFAULT_POLICY: PostingPolicy = { zone: 'UTC', itemClasses: [] };

/** An item of no class. */
const NO_CLASS: Pick<ItemClass, 'name' | 'lifeDays'> = { name: '', lifeDays: null };

/** The part of an item that says which class it is of. */
type ClassedItem = Pick<ItemOrigin, 'itemId' | 'classedBy'>;

/** The class of an item; one without a name and without a life where none matches. */
export function classify(
  item: ClassedItem,
  { itemClasses }: Pick<PostingPolicy, 'itemClasses'>,
): Pick<ItemClass, 'name' | 'lifeDays'> {
  return itemClasses.find(({ match }) => matches(match, item)) ?? NO_CLASS;
}

function matches(match: ItemMatch, { itemId, classedBy = {} }: ClassedItem): boolean {
  if ('id' in match) return match.id === itemId;
  if ('prefix' in match) return itemId.startsWith(match.prefix);
  const { key, value } = match.metadata;
  return Object.hasOwn(classedBy, key) && classedBy[key] === value;
}

/**
 * The values of an item's metadata by which policies tell classes apart: events hold these, and the rest of it is
 * encrypted with the player's key.
 */
export function pickClassing(
  metadata: Readonly<Record<string, string>>,
  policies: readonly Pick<PostingPolicy, 'itemClasses'>[],
): Readonly<Record<string, string>> {
  const matched = policies
    .flatMap(({ itemClasses }) => itemClasses)
    .flatMap(({ match }) => ('metadata' in match ? [match.metadata.key] : []));
  const keys = [...new Set(matched)].filter((key) => Object.hasOwn(metadata, key));
  return Object.fromEntries(keys.map((key) => [key, metadata[key] ?? '']));
}
