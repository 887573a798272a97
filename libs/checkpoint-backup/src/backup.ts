import type { Instant, Position } from '#domain/event';
import { type ExhaustedDelivery, nameNewest } from './exhausted.js';

/**
 * How far the worker is with a partition, kept in the event store for the day on which Redis is lost
 * (decision 0086): up to a position all that follows from events is done, but for what is named here.
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

/** The stored name of a record. */
export const DELIVERY_CHECKPOINT_RECORDED = 'delivery_checkpoint.recorded.v2';

/**
 * One record of a backup, as it is stored. The records since a whole, and those that belong to it, make
 * the backup.
 */
export interface BackupRecord {
  /** A `page` is a part of the `whole` that follows it, and its position says nothing. */
  readonly scope: 'changes' | 'page' | 'whole';
  /** Of a whole, how many pages stand right before it; 0 otherwise. */
  readonly pagesBefore: number;
  readonly position: Position;
  readonly begun: readonly string[];
  readonly ended: readonly string[];
  readonly askAgain: readonly { readonly member: string; readonly at: Instant }[];
  readonly parked: readonly ParkedEntry[];
  readonly unparked: readonly string[];
  /** Each of them has ended. */
  readonly exhausted: readonly ExhaustedDelivery[];
  /** Cursors that moved; null where the endpoint lags no more. */
  readonly cursors: readonly { readonly endpointId: string; readonly after: Position | null }[];
}

/** @param records the pages of a whole, the whole, and the changes since, in the order of their stream. */
export function foldRecords(records: readonly BackupRecord[]): Backup {
  const inFlight = new Map<string, Instant | null>();
  const parked = new Map<string, ParkedEntry>();
  const exhausted: ExhaustedDelivery[] = [];
  const cursors = new Map<string, Position>();
  let position: Position = '';
  for (const record of records) {
    // Named by this alone where they had begun before. One that begins after it is in flight again.
    for (const { member } of record.exhausted) inFlight.delete(member);
    for (const member of record.begun) inFlight.set(member, null);
    for (const { member, at } of record.askAgain) inFlight.set(member, at);
    for (const member of record.ended) inFlight.delete(member);
    for (const entry of record.parked) parked.set(entry.streamName, entry);
    for (const streamName of record.unparked) parked.delete(streamName);
    exhausted.push(...record.exhausted);
    for (const { endpointId, after } of record.cursors) {
      if (after === null) cursors.delete(endpointId);
      else cursors.set(endpointId, after);
    }
    if (record.scope !== 'page') ({ position } = record);
  }
  return upTo(position, { inFlight, parked, exhausted: nameNewest(exhausted), cursors });
}

/** A backup of an earlier position: what lies behind it is worked on again anyway. */
function upTo(
  position: Position,
  { inFlight, parked, exhausted, cursors }: Omit<Backup, 'position'>,
): Backup {
  const isWithin = ([member]: readonly [string, unknown]) =>
    member.slice(0, position.length) <= position;
  const begun = [...inFlight].filter(isWithin);
  return {
    position,
    inFlight: new Map(begun.sort(([left], [right]) => (left < right ? -1 : 1))),
    parked: new Map([...parked].filter(([, entry]) => entry.position <= position)),
    exhausted: new Map([...exhausted].filter(isWithin)),
    // What was begun behind it is not named: a cursor that is further on would pass it over.
    cursors: new Map([...cursors].map(([id, after]) => [id, after < position ? after : position])),
  };
}
