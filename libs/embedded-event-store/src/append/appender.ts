import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { RECENT_EVENT_IDS } from '../limits.js';
import { encodeRecord, TOMBSTONE_REVISION, type ProposedEvent } from '../storage/record.js';
import type { LogStore } from '../storage/log-store.js';
import {
  METADATA_TYPE,
  SOFT_DELETE_JSON,
  TOMBSTONE_TYPE,
  withTruncateBefore,
} from '../stream/stream-metadata.js';
import { uuidFromText } from '../uuid.js';
import type { CommitQueue } from './commit-queue.js';
import { decideAppend, type StoredAt, type StreamHistory } from './expected-revision.js';
import type { StreamHead, StreamHeads } from './stream-heads.js';
import type { EventNames } from './event-names.js';

/** How an append, a delete or a tombstone ended. Everything it speaks of is on disk by then. */
export type AppendOutcome =
  | { readonly kind: 'appended'; readonly last: StoredAt }
  /** An append of no events; `current` is -1 for a stream without events. */
  | { readonly kind: 'unchanged'; readonly current: number }
  | { readonly kind: 'wrong-version'; readonly current: number }
  | { readonly kind: 'stream-deleted' };

const NO_BYTES = new Uint8Array(0);

/**
 * The one writer. Deciding and numbering happen synchronously, against heads that count events not yet on disk, so that
 * appends never wait for one another; answers wait until the events are durable.
 */
export class Appender {
  /**
   * The places of the last events by stream and id. They make a retry at `any` idempotent as long as it comes soon; like
   * EventStoreDB's, they do not survive a restart.
   */
  readonly #recent = new LRUCache<string, StoredAt>({ max: RECENT_EVENT_IDS });
  #nextStream: number;

  constructor(
    store: LogStore,
    private readonly heads: StreamHeads,
    private readonly queue: CommitQueue,
    private readonly names: EventNames,
  ) {
    this.#nextStream = store.lastStream() + 1;
  }

  /** Appends all events or none. Throws `Unavailable` if the store failed to write. */
  async append(
    streamName: string,
    expected: number,
    events: readonly ProposedEvent[],
  ): Promise<AppendOutcome> {
    this.queue.assertWritable();
    const head = this.heads.get(streamName);
    const ids = events.map((event) => event.id);
    const decision = decideAppend(this.#streamEvents(head), expected, ids);
    if (decision.kind !== 'write') {
      const last = decision.kind === 'idempotent' ? decision.last : undefined;
      await this.queue.written(last?.position ?? head.lastPosition);
      if (last) return { kind: 'appended', last };
      return decision.kind === 'stream-deleted'
        ? { kind: 'stream-deleted' }
        : { kind: 'wrong-version', current: head.lastRevision };
    }
    const last = this.#stageAppend(head, events);
    await this.queue.written(head.lastPosition);
    return last ? { kind: 'appended', last } : { kind: 'unchanged', current: head.lastRevision };
  }

  /** Deletes a stream until its next append; its events stay in the log. */
  async softDelete(streamName: string, expected: number): Promise<AppendOutcome> {
    return this.#delete(streamName, expected, (head) => {
      const metastream = this.heads.metastream(head);
      if (head.lastRevision < 0 && metastream.lastRevision < 0) return undefined;
      return this.#stage(metastream, serverEvent(METADATA_TYPE, SOFT_DELETE_JSON));
    });
  }

  /** Deletes a stream for ever: its last event is a tombstone. */
  async tombstone(streamName: string, expected: number): Promise<AppendOutcome> {
    return this.#delete(streamName, expected, (head) =>
      this.#stage(head, serverEvent(TOMBSTONE_TYPE, NO_BYTES), TOMBSTONE_REVISION),
    );
  }

  async #delete(
    streamName: string,
    expected: number,
    stage: (head: StreamHead) => StoredAt | undefined,
  ): Promise<AppendOutcome> {
    this.queue.assertWritable();
    const head = this.heads.get(streamName);
    const decision = decideAppend(this.#streamEvents(head), expected, []);
    const last = decision.kind === 'write' ? stage(head) : undefined;
    if (last) this.queue.appendStaged();
    await this.queue.written(last?.position ?? head.lastPosition);
    if (last) return { kind: 'appended', last };
    return decision.kind === 'stream-deleted'
      ? { kind: 'stream-deleted' }
      : { kind: 'wrong-version', current: head.lastRevision };
  }

  #streamEvents(head: StreamHead): StreamHistory {
    return {
      lastRevision: head.lastRevision,
      isTombstoned: this.#isTombstoned(head),
      isSoftDeleted: () => this.#isSoftDeleted(head),
      hasMetadata: () => this.heads.metastream(head).lastRevision >= 0,
      recent: (id) => this.#recent.get(recentKey(head, id)),
      storedWithId: (revision, id) => this.heads.storedWithId(head, revision, id),
    };
  }

  /** The metadata of a stream ends with it. */
  #isTombstoned(head: StreamHead): boolean {
    if (head.lastRevision === TOMBSTONE_REVISION) return true;
    return head.describes !== undefined && this.#isTombstoned(head.describes);
  }

  #isSoftDeleted(head: StreamHead): boolean {
    return this.heads.metastream(head).metadata?.parsed.softDeleted ?? false;
  }

  /**
   * Stages the events and, when they bring a soft-deleted stream back, the metadata that says so:
   * both are in the same commit. Metadata written to a soft-deleted stream brings it back, too.
   */
  #stageAppend(head: StreamHead, events: readonly ProposedEvent[]): StoredAt | undefined {
    const revived = head.describes ?? head;
    const undeletes = events.length > 0 && this.#isSoftDeleted(revived);
    const firstRevision = revived.lastRevision + 1;
    let last: StoredAt | undefined;
    for (const event of events) last = this.#stage(head, event);
    if (undeletes) this.#stageUndelete(revived, firstRevision);
    if (last) this.queue.appendStaged();
    return last;
  }

  #stageUndelete(revived: StreamHead, firstRevision: number): void {
    const metastream = this.heads.metastream(revived);
    const json = withTruncateBefore(metastream.metadata?.json ?? SOFT_DELETE_JSON, firstRevision);
    this.#stage(metastream, serverEvent(METADATA_TYPE, json));
  }

  #stage(head: StreamHead, event: ProposedEvent, revision = head.lastRevision + 1): StoredAt {
    if (head.number === 0) {
      head.number = this.#nextStream;
      this.#nextStream += 1;
      this.queue.stageStream(head.name, head.number);
    }
    const position = this.queue.nextPosition;
    const record = encodeRecord(head.name, event, { position, revision, createdMs: Date.now() });
    this.queue.stage(head.name, { position, record, stream: head.number, revision });
    this.names.add(position, head.name, event.type);
    this.heads.advance(head, { revision, position, id: event.id }, event.data);
    this.#recent.set(recentKey(head, event.id), { revision, position });
    return { revision, position };
  }
}

function recentKey({ number }: StreamHead, id: Buffer): string {
  return `${id.toString('latin1')}${number}`;
}

/** An event that the server writes by itself. */
export function serverEvent(type: string, json: Uint8Array): ProposedEvent {
  const id = uuidFromText(randomUUID());
  return { id, type, isJson: json.length > 0, metadata: NO_BYTES, data: json };
}
