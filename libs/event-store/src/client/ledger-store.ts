import type { SettingRefused } from '#platform';
import type { EventStore } from '../streams/event-store.js';
import type { StoreInspection } from './maintenance/inspection.js';
import type { Lifetimes, Truncations } from './maintenance/stream-metadata.js';
import type { Namespaces } from '../streams/namespaces.js';
import type { Scavenges } from './maintenance/scavenges.js';
import type { StreamNames } from '../streams/stream-names.js';
import type { VerbatimStreams } from './verbatim/verbatim-streams.js';

/** The event store as one ledger in it is seen: streams of other namespaces are not there. */
export interface LedgerStore extends EventStore {
  readonly namespaces: Namespaces;

  /** How names of streams are stored: for readers of events byte for byte. */
  readonly names: StreamNames;

  /** Hosts and ports of the store as its connection string names them, and nothing else of that. */
  readonly address: string;

  /** Events byte for byte, under the stored names of their streams. */
  readonly verbatim: VerbatimStreams;

  /** Forgets truncated events for good. */
  readonly scavenges: Scavenges;

  /** Cuts off the first events of a stream. */
  readonly truncations: Truncations;

  /** Limits how long the events of a stream are kept. */
  readonly lifetimes: Lifetimes;

  /** The server's version, such as `23.10.8`. @throws Fault. */
  serverVersion(): Promise<string>;

  /** The state of the store, and the missing rights in it; writes nothing. @throws Fault. */
  inspect(): Promise<LedgerStoreInspection>;

  /**
   * Looks for the reason of an error in the connection string: its user and password, TLS, the
   * certificate. The address is dialled for it, so it takes up to some seconds.
   *
   * @returns undefined where the connection string is not known to be wrong: the error may pass.
   */
  findSettingProblem(error: unknown): Promise<SettingRefused | undefined>;
}

/** A store's inspection, with the settings. */
export interface LedgerStoreInspection extends StoreInspection {
  readonly isSupported: boolean;
  readonly tls: boolean;
  readonly namespace: string;
}
