import type { CatalogItem, CatalogRow } from '#domain/catalog';
import type { Instant } from '#domain/event';

/** A catalog may go on telling of an offer that is over. */
export function isOver({ expiresAt }: Pick<CatalogItem, 'expiresAt'>, now: Instant): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** The rows of a catalog without the offers that are over. */
export function listCurrent(rows: readonly CatalogRow[], now: Instant): CatalogRow[] {
  return rows.map(({ header, items }) => ({
    header,
    items: items.filter((item) => !isOver(item, now)),
  }));
}
