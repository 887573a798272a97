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

/** By the whole id of an item, by its beginning, or by a value in its metadata, which no event holds yet. */
export type ItemMatch =
  | { readonly id: string }
  | { readonly prefix: string }
  | { readonly metadata: { readonly key: string; readonly value: string } };

/** The policy of an app that has set none. */
export const DEFAULT_POLICY: PostingPolicy = { zone: 'UTC', itemClasses: [] };

/** An item of no class. */
const NO_CLASS: Pick<ItemClass, 'name' | 'lifeDays'> = { name: '', lifeDays: null };

/** The class of an item; one without a name and without a life where none matches. */
export function classify(
  itemId: string,
  { itemClasses }: PostingPolicy,
): Pick<ItemClass, 'name' | 'lifeDays'> {
  return itemClasses.find(({ match }) => matches(match, itemId)) ?? NO_CLASS;
}

function matches(match: ItemMatch, itemId: string): boolean {
  if ('id' in match) return match.id === itemId;
  return 'prefix' in match && itemId.startsWith(match.prefix);
}
