import { assertDefect, deriveUuid, Fault, newUuid, retry } from '#platform';
import {
  NAMESPACE_MOVED,
  NAMESPACE_OPENED,
  NAMESPACE_REPARTITIONED,
  STORE_RESTORED,
} from './codec.js';
import { eventOfNoApp } from './event-of-no-app.js';
import { type EventStore, type EventToAppend, RevisionConflict } from './event-store.js';

/** In no namespace: it lists the ledgers that were opened in a store (decision 0082). */
export const NAMESPACES_STREAM = 'subledger-namespaces';
/** At most this many partitions: each is some work for a process that owns it (rules/storage 5). */
export const MAX_PARTITIONS = 64;
/** Two that open at once see each other after one repetition; more than a few never come. */
const ACTOR = 'process:open_namespace';
const APPEND_LIMITS = { deadlineMs: 10_000, baseMs: 10, capMs: 500 };

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

/** As it is stored. */
type NamespaceData = Pick<NamespaceIdentity, 'namespace' | 'storeId' | 'partitions'>;

/** A ledger that was copied from another store, with its last layout there. */
interface MoveData extends NamespaceData {
  readonly layoutId: string;
}

interface RestoreData {
  /** Random: what was in Redis may be of a time that the backup knows nothing of. */
  readonly restoreId: string;
}

/** The ledgers that were opened in a store, and the one that a connection is for. */
export class Namespaces {
  readonly #store: Pick<EventStore, 'append' | 'readStream'>;
  readonly #own: string;

  /**
   * @param store reads and writes names of streams as they are, without a namespace.
   * @param own the namespace of the connection.
   */
  constructor(store: Pick<EventStore, 'append' | 'readStream'>, own: string) {
    this.#store = store;
    this.#own = own;
  }

  /** All that were opened, in the order of their names. @throws Fault of the store. */
  async list(): Promise<NamespaceIdentity[]> {
    const { opened } = await this.#read();
    return [...opened.values()].sort((a, b) => (a.namespace < b.namespace ? -1 : 1));
  }

  /**
   * The identity of the own namespace.
   *
   * @throws Fault `refused` that lists those that were opened, where the own one was not; or of the store.
   */
  async require(): Promise<NamespaceIdentity> {
    const { opened } = await this.#read();
    const identity = opened.get(this.#own);
    if (identity !== undefined) return identity;
    throw notOpened(this.#own, [...opened.keys()].sort());
  }

  /**
   * Opens the own namespace; one that is open keeps its identity.
   *
   * @param partitions from 1 to 64; of one that is open they stay as they are.
   * @throws Fault of the store.
   */
  async open(partitions: number): Promise<NamespaceIdentity> {
    return this.#change(partitions, NAMESPACE_OPENED, (known) => known === undefined);
  }

  /**
   * Divides the own namespace anew. No program of it may run: what is in Redis is built from the store
   * under new keys, and reactors go on from the lowest backup of a checkpoint.
   *
   * @param partitions from 1 to 64; of as many as there are, everything stays as it is.
   * @throws Fault of the store, or as `require` does.
   */
  async repartition(partitions: number): Promise<NamespaceIdentity> {
    await this.require();
    const isOther = (known?: NamespaceIdentity) => known?.partitions !== partitions;
    return this.#change(partitions, NAMESPACE_REPARTITIONED, isOther);
  }

  /**
   * Says that the store was restored from a backup. All of its ledgers are divided anew, each into as many
   * parts as before: what Redis remembers, of events that are lost, counts no more (rules/storage 9).
   *
   * @returns the own ledger as it is from now on. @throws as `require` does.
   */
  async noteRestore(): Promise<NamespaceIdentity> {
    await this.require();
    await retry(async () => {
      const { revision } = await this.#read();
      const data = { restoreId: newUuid() };
      await this.#append(eventOfNoApp(ACTOR, STORE_RESTORED, data, data.restoreId), revision);
    }, APPEND_LIMITS);
    return this.require();
  }

  /**
   * Opens the own namespace as the ledger that was copied here from another store. It is divided anew, into as many
   * parts: what Redis remembers are positions of the other store (decision 0091).
   *
   * @param from its identity there. @throws Fault of the store; `refused` where another ledger is open here.
   */
  async moveIn({ storeId, partitions, layoutId }: NamespaceIdentity): Promise<NamespaceIdentity> {
    return retry(async () => {
      const { opened, revision } = await this.#read();
      const known = opened.get(this.#own);
      const data: MoveData = { namespace: this.#own, storeId, partitions, layoutId };
      const moved = toMoved(data);
      if (known?.layoutId === moved.layoutId) return known;
      if (known !== undefined) {
        const message = `The namespace "${this.#own}" is open here already (store ${known.storeId}).`;
        throw new Fault('refused', message, { retryable: false });
      }
      await this.#append(eventOfNoApp(ACTOR, NAMESPACE_MOVED, data, storeId), revision);
      return moved;
    }, APPEND_LIMITS);
  }

  /** Appends an event about the own namespace, where what is known of it asks for one. */
  async #change(
    partitions: number,
    type: string,
    isNeeded: (known: NamespaceIdentity | undefined) => boolean,
  ): Promise<NamespaceIdentity> {
    assertDefect(
      Number.isInteger(partitions) && partitions >= 1 && partitions <= MAX_PARTITIONS,
      `${partitions} partitions`,
    );
    return retry(async () => {
      const { opened, revision } = await this.#read();
      const known = opened.get(this.#own);
      if (known !== undefined && !isNeeded(known)) return known;
      const data = { namespace: this.#own, storeId: known?.storeId ?? newUuid(), partitions };
      await this.#append(eventOfNoApp(ACTOR, type, data, data.storeId), revision);
      return divided(known, data);
    }, APPEND_LIMITS);
  }

  async #append(event: EventToAppend, revision: number): Promise<void> {
    try {
      const expected = revision === -1 ? 'no_stream' : revision;
      await this.#store.append(NAMESPACES_STREAM, expected, [event]);
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      // Another one came in between: what it opened may be this one.
      throw new Fault('conflict', 'another namespace was opened meanwhile', { retryable: true });
    }
  }

  async #read(): Promise<{ opened: Map<string, NamespaceIdentity>; revision: number }> {
    const opened = new Map<string, NamespaceIdentity>();
    let revision = -1;
    for await (const event of this.#store.readStream(NAMESPACES_STREAM)) {
      ({ revision } = event);
      if (event.type === NAMESPACE_MOVED) {
        const moved = toMoved(event.data as MoveData);
        opened.set(moved.namespace, moved);
      }
      if (event.type === STORE_RESTORED) restore(opened, event.data as RestoreData);
      if (![NAMESPACE_OPENED, NAMESPACE_REPARTITIONED].includes(event.type)) continue;
      // Only `#change` writes these types.
      const data = event.data as NamespaceData;
      opened.set(data.namespace, divided(opened.get(data.namespace), data));
    }
    return { opened, revision };
  }
}

function notOpened(own: string, others: readonly string[]): Fault {
  const known =
    others.length === 0
      ? 'None has been opened there'
      : `Opened there: ${others.join(', ')} (STREAM_NAMESPACE chooses one)`;
  const message =
    `The namespace "${own}" has not been opened in this event store. ${known}. ` +
    'To open it: subledger store init';
  return new Fault('refused', message, { retryable: false });
}

/** The identity after one more event; the first division has the number 0. */
function divided(
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

function restore(opened: Map<string, NamespaceIdentity>, { restoreId }: RestoreData): void {
  for (const [name, known] of opened) {
    const { namespace, storeId, partitions } = known;
    opened.set(name, divided(known, { namespace, storeId, partitions }, restoreId));
  }
}
