import type { Position } from '#domain/event';
import type { LedgerStore } from '#event-store';
import type { Log } from '#platform';
import { AHEAD_BELIEVED_AFTER_MS } from '../limits.js';
import type { PartitionDocuments } from '../partition/partition-documents.js';

/**
 * Finds read models that are ahead of their store, which has lost events, as after a restore from a
 * backup. One look proves nothing: it is believed when the leader has said so for minutes, and when the
 * event at the checkpoint is really absent (rules/events 6).
 */
export class AheadOfStore {
  #sinceMs: number | undefined;

  constructor(
    private readonly store: Pick<LedgerStore, 'hasEventAt'>,
    private readonly log: Log,
    private readonly believedAfterMs = AHEAD_BELIEVED_AFTER_MS,
  ) {}

  /** @returns those that have to be built anew. @throws Fault of the store. */
  async find(
    partitions: readonly PartitionDocuments[],
    head: Position,
    nowMs: number,
  ): Promise<PartitionDocuments[]> {
    const ahead = partitions.filter(
      ({ answering, isBuilding }) => !isBuilding && answering.position > head,
    );
    if (ahead.length === 0) {
      this.#sinceMs = undefined;
      return [];
    }
    if (this.#sinceMs === undefined) {
      this.#sinceMs = nowMs;
      this.log.warn(
        { head },
        'read models seem to be ahead of the event store; they are kept so far',
      );
    }
    if (nowMs - this.#sinceMs < this.believedAfterMs) return [];
    const absent: PartitionDocuments[] = [];
    for (const partition of ahead) {
      if (!(await this.store.hasEventAt(partition.answering.position))) absent.push(partition);
    }
    return absent;
  }
}
