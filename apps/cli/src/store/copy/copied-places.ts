import type { Position } from '#domain/event';
import { type LedgerStore, UndecodableEvent } from '#event-store';
import { CliError } from '../../cli-error.js';
import type { CopyLog } from './copy-log.js';
import { type CopiedStores, readWindows } from './copy-windows.js';
import type { CopiedPlace, PlaceLookups } from './translate-backup.js';

/** Workers look at no backups, time index and metadata: these may stand on either side of a position. */
const OF_NO_WORK = /^\$\$|^[^.]*\.(?:delivery_checkpoint|time_index)-/;

/** Finds events of the source in the target, when both hold the same. */
export class CopiedPlaces implements PlaceLookups {
  readonly #positions = new Map<Position, Promise<Position>>();

  constructor(
    private readonly stores: CopiedStores,
    private readonly namespace: string,
    private readonly log: CopyLog,
  ) {}

  findPosition = (sourcePosition: Position): Promise<Position> => {
    // Partitions that have nothing to do stand at the same one.
    const found = this.#positions.get(sourcePosition) ?? this.#findPosition(sourcePosition);
    this.#positions.set(sourcePosition, found);
    return found;
  };

  findEvent = async (streamName: string, revision: number): Promise<CopiedPlace | undefined> => {
    const wanted = await readOne(this.stores.source, streamName, revision);
    if (wanted?.revision !== revision) return undefined;
    const found = await readOne(this.stores.target, streamName, revision);
    if (found?.id === wanted.id) return found;
    for (let at = 0; at < revision; at += 1) {
      const other = await readOne(this.stores.target, streamName, at);
      if (other?.id === wanted.id) return other;
    }
    throw new CliError(`The target lacks event ${revision} of ${streamName}: copy it again.`);
  };

  /**
   * From the last record that stands before it on: as long as the target's next event is one that the source has up to
   * the position. Later ones may stand among these, after work that was done again.
   */
  async #findPosition(sourcePosition: Position): Promise<Position> {
    const record = await this.log.findBefore(sourcePosition);
    const ids = new Set<string>();
    for await (const event of this.#readFrom('source', record.sourcePosition)) {
      if (event.position > sourcePosition) break;
      ids.add(event.id);
    }
    let { targetPosition } = record;
    for await (const event of this.#readFrom('target', targetPosition)) {
      if (!ids.has(event.id) && !OF_NO_WORK.test(event.streamName)) break;
      targetPosition = event.position;
    }
    return targetPosition;
  }

  /** Up to the store's present end. */
  async *#readFrom(which: 'source' | 'target', after: Position) {
    const { signal } = new AbortController();
    for await (const window of readWindows(this.stores[which], this.namespace, after, signal)) {
      yield* window.events;
      if (window.isCaughtUp) return;
    }
  }
}

/** Also one that this release cannot read. */
async function readOne(store: LedgerStore, streamName: string, fromRevision: number) {
  try {
    for await (const event of store.readStream(streamName, { fromRevision, maxCount: 1 })) {
      return event;
    }
  } catch (error) {
    if (error instanceof UndecodableEvent) return error.item;
    throw error;
  }
  return undefined;
}
