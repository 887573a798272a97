import type { Position } from '#domain/event';
import { assertDefect, Fault, newUuid, retry } from '#platform';
import {
  NAMESPACE_MOVED,
  NAMESPACE_MOVED_AWAY,
  NAMESPACE_OPENED,
  NAMESPACE_REPARTITIONED,
  STORE_RESTORED,
} from './codec.js';
import { eventOfNoApp } from './event-of-no-app.js';
import { type EventStore, type EventToAppend, RevisionConflict } from './event-store.js';
import { LedgerMovedAway } from './ledger-moved-away.js';
import {
  divided,
  foldNamespaces,
  type KnownNamespace,
  type MoveAwayData,
  type MovedTo,
  type MoveData,
  type NamespaceIdentity,
  type RestoreData,
  toMoved,
} from './namespace-history.js';

/** In no namespace: it lists the ledgers that were opened in a store (decision 0009). */
export const NAMESPACES_STREAM = 'subledger-namespaces';
/** At most this many partitions: each is some work for a process that owns it (rules/storage 5). */
export const MAX_PARTITIONS = 64;
/** Two that open at once see each other after one repetition; more than a few never come. */
const ACTOR = 'process:open_namespace';
const APPEND_LIMITS = { deadlineMs: 10_000, baseMs: 10, capMs: 500 };

/** The ledgers that were opened in a store, and the one that a connection is for. */
export class Namespaces {
  /**
   * @param store reads and writes names of streams as they are, without a namespace.
   * @param own the namespace of the connection.
   */
  constructor(
    private readonly store: Pick<EventStore, 'append' | 'readStream'>,
    private readonly own: string,
  ) {}

  /** All that are open, in the order of their names. @throws Fault of the store. */
  async list(): Promise<NamespaceIdentity[]> {
    const { known } = await this.#read();
    return listOpen(known);
  }

  /** The own namespace, open or moved away; undefined where it was never opened. @throws Fault of the store. */
  async find(): Promise<KnownNamespace | undefined> {
    const { known } = await this.#read();
    return known.get(this.own);
  }

  /**
   * The identity of the own namespace.
   *
   * @throws Fault `refused` that lists those that are open, where the own one never was; LedgerMovedAway; Fault of the
   *   store.
   */
  async require(): Promise<NamespaceIdentity> {
    const { known } = await this.#read();
    const own = known.get(this.own);
    if (own !== undefined) return requireHere(own);
    const others = listOpen(known).map(({ namespace }) => namespace);
    throw notOpened(this.own, others);
  }

  /**
   * Opens the own namespace; one that is open keeps its identity.
   *
   * @param partitions from 1 to 64; of one that is open they stay as they are.
   * @throws LedgerMovedAway; Fault of the store.
   */
  async open(partitions: number): Promise<NamespaceIdentity> {
    return this.#change(partitions, NAMESPACE_OPENED, (known) => known === undefined);
  }

  /**
   * Divides the own namespace anew. No program of it may run: the content of Redis is built from the store under new
   * keys, and reactors go on from the lowest backup of a checkpoint.
   *
   * @param partitions from 1 to 64; of as many as there are, everything stays as it is.
   * @throws Fault of the store, or as `require` does.
   */
  async repartition(partitions: number): Promise<NamespaceIdentity> {
    await this.require();
    const isOther = (known?: KnownNamespace) => known?.identity.partitions !== partitions;
    return this.#change(partitions, NAMESPACE_REPARTITIONED, isOther);
  }

  /**
   * Says that the store was restored from a backup. All of its ledgers are divided anew, each into as many parts as
   * before: Redis's memory of lost events counts no more (rules/storage 9).
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

  /** The last restore of the store behind a position, by its id; undefined where there was none. @throws Fault. */
  async findRestoreAfter(after: Position): Promise<string | undefined> {
    let found: string | undefined;
    for await (const { type, position, data } of this.store.readStream(NAMESPACES_STREAM)) {
      // Only `noteRestore` and a restore write such an event.
      if (type === STORE_RESTORED && position > after) found = (data as RestoreData).restoreId;
    }
    return found;
  }

  /** The position up to which the own ledger was copied from another store; undefined where it began here. @throws Fault. */
  async findMoveIn(): Promise<Position | undefined> {
    let found: Position | undefined;
    for await (const { type, position, data } of this.store.readStream(NAMESPACES_STREAM)) {
      // Only `Namespaces` writes such an event.
      if (type === NAMESPACE_MOVED && (data as MoveData).namespace === this.own) found = position;
    }
    return found;
  }

  /**
   * Opens the own namespace as the ledger that was copied here from another store. It is divided anew, into as many
   * parts: Redis remembers positions of the other store (decision 0014).
   *
   * @param from its identity there. @throws Fault of the store; `refused` where another ledger is open here.
   */
  async moveIn({ storeId, partitions, layoutId }: NamespaceIdentity): Promise<NamespaceIdentity> {
    return retry(async () => {
      const { known, revision } = await this.#read();
      const own = known.get(this.own);
      const data: MoveData = { namespace: this.own, storeId, partitions, layoutId };
      const moved = toMoved(data);
      if (own !== undefined) {
        const here = requireHere(own);
        if (here.layoutId === moved.layoutId) return here;
        const message = `The namespace "${this.own}" is open here already (store ${here.storeId}).`;
        throw new Fault('refused', message, { retryable: false });
      }
      await this.#append(eventOfNoApp(ACTOR, NAMESPACE_MOVED, data, storeId), revision);
      return moved;
    }, APPEND_LIMITS);
  }

  /**
   * Closes the own namespace, which goes on in another store: no program starts on it here, and those that
   * run end. One that is closed already stays as it is. @throws Fault of the store, or as `require` does.
   */
  async moveAway(to: MovedTo): Promise<void> {
    await retry(async () => {
      const { known, revision } = await this.#read();
      const own = known.get(this.own);
      if (own?.movedTo !== undefined) return;
      const { storeId } = own?.identity ?? (await this.require());
      const data: MoveAwayData = { namespace: this.own, storeId, to };
      await this.#append(eventOfNoApp(ACTOR, NAMESPACE_MOVED_AWAY, data, storeId), revision);
    }, APPEND_LIMITS);
  }

  /**
   * Opens the own namespace again, which had been moved away. It is divided anew, into as many parts: another move of
   * it gets another layout than the one that was taken back. One that is open stays as it is.
   *
   * @throws Fault of the store; `refused` where it never was open.
   */
  async takeBack(): Promise<NamespaceIdentity> {
    const own = await this.find();
    if (own === undefined) return this.require();
    const isClosed = (known?: KnownNamespace) => known?.movedTo !== undefined;
    return this.#change(own.identity.partitions, NAMESPACE_OPENED, isClosed);
  }

  /**
   * Appends an event about the own namespace, where its state asks for one.
   *
   * @throws LedgerMovedAway where it is closed and nothing was asked for.
   */
  async #change(
    partitions: number,
    type: string,
    isNeeded: (known: KnownNamespace | undefined) => boolean,
  ): Promise<NamespaceIdentity> {
    assertDefect(
      Number.isInteger(partitions) && partitions >= 1 && partitions <= MAX_PARTITIONS,
      `${partitions} partitions`,
    );
    return retry(async () => {
      const { known, revision } = await this.#read();
      const own = known.get(this.own);
      if (own !== undefined && !isNeeded(own)) return requireHere(own);
      const identity = own?.identity;
      const data = { namespace: this.own, storeId: identity?.storeId ?? newUuid(), partitions };
      await this.#append(eventOfNoApp(ACTOR, type, data, data.storeId), revision);
      return divided(identity, data);
    }, APPEND_LIMITS);
  }

  async #append(event: EventToAppend, revision: number): Promise<void> {
    try {
      const expected = revision === -1 ? 'no_stream' : revision;
      await this.store.append(NAMESPACES_STREAM, expected, [event]);
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      // Another one came in between: its namespace may be this one.
      throw new Fault('conflict', 'another namespace was opened meanwhile', { retryable: true });
    }
  }

  async #read(): Promise<{ known: Map<string, KnownNamespace>; revision: number }> {
    const known = new Map<string, KnownNamespace>();
    let revision = -1;
    for await (const event of this.store.readStream(NAMESPACES_STREAM)) {
      ({ revision } = event);
      foldNamespaces(known, event);
    }
    return { known, revision };
  }
}

/** @throws LedgerMovedAway. */
function requireHere({ identity, movedTo }: KnownNamespace): NamespaceIdentity {
  if (movedTo === undefined) return identity;
  throw new LedgerMovedAway(identity.namespace, movedTo.address);
}

function listOpen(known: ReadonlyMap<string, KnownNamespace>): NamespaceIdentity[] {
  return [...known.values()]
    .filter(({ movedTo }) => movedTo === undefined)
    .map(({ identity }) => identity)
    .sort((a, b) => (a.namespace < b.namespace ? -1 : 1));
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
