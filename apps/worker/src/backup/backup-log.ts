import { Inject, Injectable } from '@nestjs/common';
import { idOf, type Position } from '#domain/event';
import { type EventStore, type Division, type NamespaceIdentity, Partitions } from '#event-store';
import { type Lease, NOTHING } from '#projection-engine';
import {
  appendBackup,
  type Backup,
  backupStream,
  byMember,
  exhaustedStream,
  type FoundBackup,
  nameNewest,
  type ParkedEntry,
  readBackup,
  readBackups,
  readInFlight,
  readPages,
} from '#worker-state';
import { EVENT_STORE, LEASE, NAMESPACE } from '../tokens.js';

const ACTOR = 'process:back_up_checkpoint';

const NOTHING_IN_FLIGHT: Omit<Backup, 'exhausted'> = {
  ...{ position: NOTHING, inFlight: [], parked: [], cursors: [] },
};

/** The backup of the partition's checkpoint in the event store. Calls throw Fault of the store. */
@Injectable()
export class BackupLog {
  readonly #stream: string;

  constructor(
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'append' | 'readStream'>,
    @Inject(NAMESPACE) private readonly namespace: NamespaceIdentity,
    @Inject(LEASE) private readonly lease: Lease,
  ) {
    this.#stream = backupStream(namespace.layoutId, lease.partition);
  }

  /** The last one; in a ledger that was divided anew, the sum of those before. Undefined for none. */
  async readLast(): Promise<Backup | undefined> {
    const { backup } = await readBackup(this.store, this.#stream);
    return backup ?? (await this.#readBefore(this.namespace.before));
  }

  /** The partition's own as its pages have it, and where its stream ends. */
  read(): Promise<FoundBackup> {
    return readPages(this.store, this.#stream);
  }

  /** The list of given-up deliveries that stands beside it, and the end of its stream. */
  readExhausted(): Promise<FoundBackup> {
    return readPages(this.store, exhaustedStream(this.#stream));
  }

  /**
   * @param revision of the page before; -1 for none.
   * @returns the revision of the last page.
   * @throws RevisionConflict when another holder of the partition has written since.
   */
  append(revision: number, backup: Backup): Promise<number> {
    return appendBackup(this.store, this.#stream, { revision, backup, actor: ACTOR });
  }

  /** Writes the list anew. @param revision and @returns and @throws as `append`. */
  appendExhausted(revision: number, exhausted: Backup['exhausted']): Promise<number> {
    const backup = { ...NOTHING_IN_FLIGHT, exhausted };
    const stream = exhaustedStream(this.#stream);
    return appendBackup(this.store, stream, { revision, backup, actor: ACTOR });
  }

  async #readBefore(division: Division | null): Promise<Backup | undefined> {
    if (division === null) return undefined;
    // Of as many partitions, each has the buckets that it has now: its store was restored since.
    if (division.partitions !== this.namespace.partitions) return this.#readLowest(division);
    const stream = backupStream(division.layoutId, this.lease.partition);
    const { backup } = await readBackup(this.store, stream);
    return backup ?? (await this.#readBefore(division.before));
  }

  /** Of work that was in flight or parked anywhere, only this partition's is its own. */
  async #readLowest(division: Division): Promise<Backup | undefined> {
    const divided = new Partitions(this.namespace.partitions);
    const backups = await this.#readAll(division);
    const [position = NOTHING] = backups.map((backup) => backup?.position ?? NOTHING).sort();
    // One that never wrote any, and had nothing to begin with, has worked on nothing for sure.
    if (position === NOTHING) return undefined;
    const isOwn = (streamName: string) => divided.find(idOf(streamName)) === this.lease.partition;
    const isOwnWork = ({ member }: { readonly member: string }) => {
      const work = readInFlight(member);
      return work !== undefined && work.position <= position && isOwn(work.streamName);
    };
    const isOwnEntry = (entry: ParkedEntry) =>
      entry.position <= position && isOwn(entry.streamName);
    const exhausted = backups.flatMap((backup) => backup?.exhausted ?? []).filter(isOwnWork);
    const inFlight = backups.flatMap((backup) => backup?.inFlight ?? []).filter(isOwnWork);
    // Two divisions may name the same work.
    const once = new Map(inFlight.map((each) => [each.member, each]));
    return {
      position,
      inFlight: [...once.values()].sort(byMember),
      parked: backups.flatMap((backup) => backup?.parked ?? []).filter(isOwnEntry),
      exhausted: nameNewest(exhausted),
      cursors: findLowestCursors(backups, position),
    };
  }

  /** The last ones of a division. A partition that wrote none began where those before it were. */
  async #readAll(division: Division): Promise<(Backup | undefined)[]> {
    const own = await readBackups(this.store, division);
    if (!own.includes(undefined)) return own;
    const earlier = await this.#readBefore(division.before);
    return [...own.filter((backup) => backup !== undefined), earlier];
  }
}

/**
 * An endpoint is backlogged from its lowest cursor in any of the divisions before: the messages between are sent again.
 */
function findLowestCursors(
  backups: readonly (Backup | undefined)[],
  position: Position,
): Backup['cursors'] {
  const lowest = new Map<string, Position>();
  for (const { endpointId, after } of backups.flatMap((backup) => backup?.cursors ?? [])) {
    if (after < (lowest.get(endpointId) ?? position)) lowest.set(endpointId, after);
  }
  return [...lowest].map(([endpointId, after]) => ({ endpointId, after }));
}
