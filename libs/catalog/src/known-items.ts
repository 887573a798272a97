/**
 * Items that were found good. A backend tells most players of the same items, in catalogs that differ a little; whether an
 * item is good depends on its own fields alone, so that the same fields are looked at once. An item is known by all of
 * its fields as they were written: nothing else can be taken for it.
 */
import { LRUCache } from 'lru-cache';
import type { CatalogItem } from '#domain/catalog';
import { KNOWN_ITEMS_CHARACTERS } from './limits.js';

const known = new LRUCache<string, CatalogItem>({
  maxSize: KNOWN_ITEMS_CHARACTERS,
  sizeCalculation: (_item, name) => name.length,
});

/**
 * The name of an item: all fields that decide whether it is good.
 *
 * @returns undefined for an item that cannot be good: fields are texts and numbers, and nested ones may be so however
 *   deep.
 */
export function nameItem(
  { id, name, description, image, price, ...bounds }: Readonly<Record<string, unknown>>,
  allowInsecure: boolean,
): string | undefined {
  const { currency, amount } = (price ?? {}) as Readonly<Record<string, unknown>>;
  const { max_purchasable: max, expiration_time_seconds: expiration } = bounds;
  const fields = [id, name, description, image, currency, amount, max, expiration];
  const isFlat = fields.every((field) => typeof field !== 'object' || field === null);
  return isFlat ? JSON.stringify([allowInsecure, ...fields]) : undefined;
}

/** The item of this name, where it was found good lately. */
export function recallItem(name: string): CatalogItem | undefined {
  return known.get(name);
}

/** Remembers an item that was found good. */
export function rememberItem(name: string, item: CatalogItem): void {
  known.set(name, item);
}
