import type { Catalog, CatalogItem } from '#domain/catalog';
import type { Instant } from '#domain/event';

type Rows = Catalog['rows'];

/** What is for sale in a time in which no offer ends. */
interface Current {
  readonly rows: Rows;
  /** When the last of those that are over ended; undefined where there is none. */
  readonly since: Instant | undefined;
  /** When the next one ends; undefined where none does. */
  readonly until: Instant | undefined;
}

const current = new WeakMap<Catalog, Current>();

/** A catalog may go on telling of an offer that is over. */
export function isOver({ expiresAt }: Pick<CatalogItem, 'expiresAt'>, now: Instant): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/**
 * The rows of a catalog without what is over: one object until the next offer ends, so that what was made of it is known
 * by it.
 */
export function listCurrent(catalog: Catalog, now: Instant): Rows {
  const known = current.get(catalog);
  if (known !== undefined && holds(known, now)) return known.rows;
  const made = read(catalog, now);
  current.set(catalog, made);
  return made.rows;
}

/** Clocks of machines are set back, too. */
function holds({ since, until }: Current, now: Instant): boolean {
  return (since === undefined || since <= now) && (until === undefined || now < until);
}

function read({ rows }: Catalog, now: Instant): Current {
  const ends = rows.flatMap(({ items }) => items.flatMap(({ expiresAt }) => expiresAt ?? []));
  const sorted = ends.sort();
  const since = sorted.findLast((end) => end <= now);
  const until = sorted.find((end) => end > now);
  if (since === undefined) return { rows, since, until };
  const left = rows.map(({ header, items }) => ({
    header,
    items: items.filter((item) => !isOver(item, now)),
  }));
  return { rows: left, since, until };
}
