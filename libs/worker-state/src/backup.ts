import type { Instant, Position } from '#domain/event';
import type { ExhaustedDelivery } from './exhausted.js';

/**
 * How far the worker is with a partition, kept in the event store for the day on which Redis is lost (decision 0013):
 * up to a position all that follows from events is done, but for the work named here.
 */
export interface Backup {
  readonly position: Position;
  /**
   * Work that was begun and has not ended, in the store's order. A charge or refund may have the time at which the
   * gateway is to be asked again.
   */
  readonly inFlight: readonly { readonly member: string; readonly askAgainAt?: Instant }[];
  readonly parked: readonly ParkedEntry[];
  /** The newest deliveries that were given up, in the store's order. */
  readonly exhausted: readonly ExhaustedDelivery[];
  /** After which position the store is read again for each endpoint that is backlogged (rules/webhooks 8). */
  readonly cursors: readonly { readonly endpointId: string; readonly after: Position }[];
}

/** A stream that waits, since an event of it could not be read or worked on (rules/events 5). */
export interface ParkedEntry {
  readonly streamName: string;
  /** The event that could not be worked on. */
  readonly revision: number;
  readonly position: Position;
  readonly type: string;
  readonly reason: string;
  /** The release that could not: another one tries at once. */
  readonly release: string;
  /**
   * Work of events up to here was begun before the stream was parked: of it only work still in flight is begun again.
   * Empty where the stream was parked as its events came.
   */
  readonly begunUpTo: Position;
}

/** The stored name of a page. */
export const DELIVERY_CHECKPOINT_RECORDED = 'delivery_checkpoint.recorded.v2';

/** A part of a backup, as it is stored. The backup counts when its last page is there. */
export interface BackupPage extends Backup {
  /** From 0. */
  readonly page: number;
  /** How many pages the backup has. */
  readonly pages: number;
}

/**
 * Things that one page names: a store refuses an event of a megabyte, and some 260 bytes stand for something in
 * flight, 1,600 for a reason of 200 characters that JSON has to escape.
 */
const NAMED_A_PAGE = { inFlight: 2_000, parked: 100, exhausted: 100, cursors: 500 };

/** A backup as the pages that are stored, one at least. */
export function toPages(backup: Backup): BackupPage[] {
  const lists = Object.keys(NAMED_A_PAGE) as (keyof typeof NAMED_A_PAGE)[];
  const counts = lists.map((list) => Math.ceil(backup[list].length / NAMED_A_PAGE[list]));
  const pages = Math.max(1, ...counts);
  return Array.from({ length: pages }, (_, page) => {
    const cut = <T>(items: readonly T[], size: number) =>
      items.slice(page * size, (page + 1) * size);
    return {
      ...{ page, pages, position: backup.position },
      inFlight: cut(backup.inFlight, NAMED_A_PAGE.inFlight),
      parked: cut(backup.parked, NAMED_A_PAGE.parked),
      exhausted: cut(backup.exhausted, NAMED_A_PAGE.exhausted),
      cursors: cut(backup.cursors, NAMED_A_PAGE.cursors),
    };
  });
}

/** The reverse. @param pages all of a backup, in their order. */
export function fromPages(pages: readonly BackupPage[]): Backup {
  return {
    position: pages[0]?.position ?? '',
    inFlight: pages.flatMap(({ inFlight }) => inFlight),
    parked: pages.flatMap(({ parked }) => parked),
    exhausted: pages.flatMap(({ exhausted }) => exhausted),
    cursors: pages.flatMap(({ cursors }) => cursors),
  };
}
