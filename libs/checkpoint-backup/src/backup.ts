import type { Instant, Position } from '#domain/event';
import type { ExhaustedDelivery } from './exhausted.js';

/**
 * How far the worker is with a partition, kept in the event store for the day on which Redis is lost
 * (decision 0013): up to a position all that follows from events is done, but for what is named here.
 */
export interface Backup {
  readonly position: Position;
  /**
   * What was begun and has not ended, as members of the work in flight, each beginning with the position
   * of its event. A charge or refund has the time at which the gateway is to be asked again; null: now.
   */
  readonly inFlight: ReadonlyMap<string, Instant | null>;
  /** The parked streams by their names. */
  readonly parked: ReadonlyMap<string, ParkedEntry>;
  /** The newest deliveries that were given up, by their members of the work in flight. */
  readonly exhausted: ReadonlyMap<string, ExhaustedDelivery>;
  /**
   * By the ids of the endpoints that lag behind the position: after which position the store is read again for
   * each (rules/webhooks 8).
   */
  readonly cursors: ReadonlyMap<string, Position>;
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
   * What followed from events up to here was begun before the stream was parked: of these only what is
   * still in flight is begun again. Empty where the stream was parked as its events came.
   */
  readonly begunUpTo: Position;
}

/** The stored name of a page. */
export const DELIVERY_CHECKPOINT_RECORDED = 'delivery_checkpoint.recorded.v2';

/** One page of a backup, as it is stored. The backup counts when its last page is there. */
export interface BackupPage {
  /** From 0. */
  readonly page: number;
  /** How many pages the backup has. */
  readonly pages: number;
  readonly position: Position;
  /** Deliveries have no time. */
  readonly inFlight: readonly { readonly member: string; readonly askAgainAt?: Instant }[];
  readonly parked: readonly ParkedEntry[];
  readonly exhausted: readonly ExhaustedDelivery[];
  readonly cursors: readonly { readonly endpointId: string; readonly after: Position }[];
}

/**
 * Things that one page names: a store refuses an event of a megabyte, and some 260 bytes stand for something in
 * flight, 1,600 for a reason of 200 characters that JSON has to escape.
 */
const IN_FLIGHT_A_PAGE = 2_000;
const CURSORS_A_PAGE = 500;
const REASONS_A_PAGE = 100;

/** A backup as the pages that are stored, one at least. */
export function toPages(backup: Backup): BackupPage[] {
  const work = [...backup.inFlight].map(([member, askAgainAt]) =>
    askAgainAt === null ? { member } : { member, askAgainAt },
  );
  const cursors = [...backup.cursors].map(([endpointId, after]) => ({ endpointId, after }));
  const lists = {
    inFlight: divide(work, IN_FLIGHT_A_PAGE),
    parked: divide([...backup.parked.values()], REASONS_A_PAGE),
    exhausted: divide([...backup.exhausted.values()], REASONS_A_PAGE),
    cursors: divide(cursors, CURSORS_A_PAGE),
  };
  const pages = Math.max(1, ...Object.values(lists).map(({ length }) => length));
  return Array.from({ length: pages }, (_, page) => ({
    ...{ page, pages, position: backup.position },
    inFlight: lists.inFlight[page] ?? [],
    parked: lists.parked[page] ?? [],
    exhausted: lists.exhausted[page] ?? [],
    cursors: lists.cursors[page] ?? [],
  }));
}

/** The reverse. @param pages all of a backup, in their order. */
export function fromPages(pages: readonly BackupPage[]): Backup {
  const inFlight = pages.flatMap((page) => page.inFlight);
  const parked = pages.flatMap((page) => page.parked);
  const exhausted = pages.flatMap((page) => page.exhausted);
  const cursors = pages.flatMap((page) => page.cursors);
  return {
    position: pages[0]?.position ?? '',
    inFlight: new Map(inFlight.map(({ member, askAgainAt = null }) => [member, askAgainAt])),
    parked: new Map(parked.map((entry) => [entry.streamName, entry])),
    exhausted: new Map(exhausted.map((each) => [each.member, each])),
    cursors: new Map(cursors.map(({ endpointId, after }) => [endpointId, after])),
  };
}

function divide<T>(items: readonly T[], size: number): T[][] {
  const parts = Math.ceil(items.length / size);
  return Array.from({ length: parts }, (_, at) => items.slice(at * size, (at + 1) * size));
}
