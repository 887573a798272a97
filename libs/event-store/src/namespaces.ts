import { assertDefect, deriveUuid, Fault, newUuid, retry, wallClock } from '#platform';
import { NAMESPACE_OPENED } from './codec.js';
import { type EventStore, RevisionConflict } from './event-store.js';

/** In no namespace: it lists the ledgers that were opened in a store (decision 0082). */
export const NAMESPACES_STREAM = 'subledger-namespaces';
/** At most this many partitions: each is some work for a process that owns it (rules/storage 5). */
export const MAX_PARTITIONS = 64;
/** Two that open at once see each other after one repetition; more than a few never come. */
const OPEN_LIMIT_MS = 10_000;

/** A ledger in a store, from the moment it was opened. */
export interface NamespaceIdentity {
  readonly namespace: string;
  /** Random: checkpoints carry it, so that read models of another ledger are recognised (rules/events 6). */
  readonly storeId: string;
  /** Into how many ranges of buckets the work on its events is divided. */
  readonly partitions: number;
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
    assertDefect(
      Number.isInteger(partitions) && partitions >= 1 && partitions <= MAX_PARTITIONS,
      `${partitions} partitions`,
    );
    const limits = { deadlineMs: OPEN_LIMIT_MS, baseMs: 10, capMs: 500 };
    return retry(() => this.#openOnce(partitions), limits);
  }

  async #openOnce(partitions: number): Promise<NamespaceIdentity> {
    const { opened, revision } = await this.#read();
    const known = opened.get(this.#own);
    if (known !== undefined) return known;
    const identity = { namespace: this.#own, storeId: newUuid(), partitions };
    const expected = revision === -1 ? 'no_stream' : revision;
    try {
      await this.#store.append(NAMESPACES_STREAM, expected, [toEvent(identity)]);
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      // Another one came in between: what it opened may be this one.
      throw new Fault('conflict', 'another namespace was opened meanwhile', { retryable: true });
    }
    return identity;
  }

  async #read(): Promise<{ opened: Map<string, NamespaceIdentity>; revision: number }> {
    const opened = new Map<string, NamespaceIdentity>();
    let revision = -1;
    for await (const event of this.#store.readStream(NAMESPACES_STREAM)) {
      ({ revision } = event);
      if (event.type !== NAMESPACE_OPENED) continue;
      // Only `open` writes this type.
      const identity = event.data as NamespaceIdentity;
      opened.set(identity.namespace, identity);
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

function toEvent(identity: NamespaceIdentity) {
  return {
    id: deriveUuid(`${NAMESPACES_STREAM} ${identity.storeId}`),
    type: NAMESPACE_OPENED,
    data: identity,
    metadata: {
      $correlationId: identity.storeId,
      actor: 'process:open_namespace',
      appId: '',
      environment: 'production' as const,
      schemaVersion: 1,
      occurredAt: wallClock.now(),
    },
  };
}
