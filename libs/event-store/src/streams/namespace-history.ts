import type { Position, RecordedEvent } from '#domain/event';
import { deriveUuid } from '#platform';
import {
  NAMESPACE_MOVED,
  NAMESPACE_MOVED_AWAY,
  NAMESPACE_OPENED,
  NAMESPACE_REPARTITIONED,
  STORE_RESTORED,
} from './codec.js';

/** How a ledger was divided, and before that. */
export interface Division {
  readonly partitions: number;
  readonly layoutId: string;
  readonly before: Division | null;
}

/** A ledger in a store, from the moment it was opened. */
export interface NamespaceIdentity {
  readonly namespace: string;
  /** Random: no two ledgers have the same (rules/events 6). */
  readonly storeId: string;
  /** Into how many ranges of buckets the work on its events is divided. */
  readonly partitions: number;
  /** How they were divided before this; null where they never were otherwise. */
  readonly before: Division | null;
  /** Names this division: all that is kept in Redis is kept under it (rules/storage 7). */
  readonly layoutId: string;
}

/** The store that a ledger was moved into. */
export interface MovedTo {
  /** Its hosts and ports, for people. */
  readonly address: string;
  /** Its name of the copy, wherever it is reached; '' where nothing was copied. */
  readonly copyId: string;
}

/** A ledger that was opened in a store, and may have gone to another one. */
export interface KnownNamespace {
  readonly identity: NamespaceIdentity;
  /** The position of the last event about it. */
  readonly position: Position;
  /** There while it is closed here, and nothing may write to it (decision 0014). */
  readonly movedTo?: MovedTo;
}

/** As it is stored. */
type NamespaceData = Pick<NamespaceIdentity, 'namespace' | 'storeId' | 'partitions'>;

/** A ledger that was copied from another store, with its last layout there. */
export interface MoveData extends NamespaceData {
  readonly layoutId: string;
}

export interface MoveAwayData {
  readonly namespace: string;
  readonly storeId: string;
  readonly to: MovedTo;
}

export interface RestoreData {
  /** Random: the content of Redis may be of a time that the backup knows nothing of. */
  readonly restoreId: string;
}

/** The ledgers of a store after one more event of their stream. */
export function foldNamespaces(known: Map<string, KnownNamespace>, event: RecordedEvent): void {
  const { type, position } = event;
  // Only `Namespaces` and a restore write to this stream.
  switch (type) {
    case NAMESPACE_OPENED:
    case NAMESPACE_REPARTITIONED: {
      const data = event.data as NamespaceData;
      const identity = divided(known.get(data.namespace)?.identity, data);
      known.set(data.namespace, { identity, position });
      return;
    }
    case NAMESPACE_MOVED: {
      const identity = toMoved(event.data as MoveData);
      known.set(identity.namespace, { identity, position });
      return;
    }
    case NAMESPACE_MOVED_AWAY: {
      const { namespace, to } = event.data as MoveAwayData;
      const closed = known.get(namespace);
      if (closed !== undefined) known.set(namespace, { ...closed, position, movedTo: to });
      return;
    }
    case STORE_RESTORED:
      restore(known, event.data as RestoreData, position);
      return;
    default:
  }
}

/** The identity after one more event; the first division has the number 0. */
export function divided(
  known: NamespaceIdentity | undefined,
  data: NamespaceData,
  restoreId?: string,
): NamespaceIdentity {
  const [, number = '-1', restored] = LAYOUT.exec(known?.layoutId ?? '') ?? [];
  const mark = restoreId?.slice(0, RESTORE_MARK_LENGTH) ?? restored;
  const layout = `${Number(number) + 1}${mark === undefined ? '' : `r${mark}`}`;
  const before =
    known === undefined
      ? null
      : { partitions: known.partitions, layoutId: known.layoutId, before: known.before };
  return { ...data, before, layoutId: `${data.storeId}.${layout}` };
}

/**
 * The identity of a ledger in the store into which it was moved. Nothing before it counts there: positions of
 * the divisions before are those of another store. The mark tells its layout from one that the other store gets later.
 */
export function toMoved({ namespace, storeId, partitions, layoutId }: MoveData): NamespaceIdentity {
  const data = { namespace, storeId, partitions };
  const there = { ...data, layoutId, before: null };
  return { ...divided(there, data, deriveUuid(`moved ${layoutId}`)), before: null };
}

/** After a restore or a move, layouts carry its mark: those of the lost time may have had the same numbers. */
const LAYOUT = /\.(\d+)(?:r([0-9a-f]+))?$/;
const RESTORE_MARK_LENGTH = 8;

/** A ledger that had gone to another store is still there. */
function restore(
  known: Map<string, KnownNamespace>,
  { restoreId }: RestoreData,
  position: Position,
): void {
  for (const [name, { identity, ...others }] of known) {
    const { namespace, storeId, partitions } = identity;
    const restored = divided(identity, { namespace, storeId, partitions }, restoreId);
    known.set(name, { ...others, identity: restored, position });
  }
}
