import { Appender, serverEvent } from './append/appender.js';
import { CommitQueue } from './append/commit-queue.js';
import { CommitSignal } from './append/commit-signal.js';
import { ANY } from './append/expected-revision.js';
import { StreamHeads } from './append/stream-heads.js';
import { StoreDamaged } from './failures.js';
import { EventNames } from './append/event-names.js';
import type { LogStore } from './storage/log-store.js';
import { SERVER_STARTED_TYPE, SYSTEM_STREAM } from './stream/stream-metadata.js';

/** The event store without a network: one writer, and a log that any number of calls read. */
export class EventLog {
  readonly queue: CommitQueue;
  readonly appender: Appender;
  readonly signal = new CommitSignal();
  readonly names: EventNames;

  constructor(
    readonly store: LogStore,
    /** Not called for damage, which the store has reported already. */
    onCommitFailed: (error: Error) => void,
  ) {
    const heads = new StreamHeads(store);
    this.queue = new CommitQueue(store, {
      committed: (position, streamNames) => {
        heads.release(position);
        this.signal.wake(streamNames);
      },
      failed: (error) => {
        if (!(error instanceof StoreDamaged)) onCommitFailed(error);
      },
    });
    this.names = new EventNames(store);
    this.appender = new Appender(store, heads, this.queue, this.names);
  }

  /**
   * A new store begins with an event, as a new EventStoreDB does, so that readers of $all find one
   * (rules/protocol 7).
   */
  async initialise(): Promise<void> {
    if (this.queue.durablePosition > 0) return;
    const json = Buffer.from(JSON.stringify({ server: 'subledger embedded event store' }));
    await this.appender.append(SYSTEM_STREAM, ANY, [serverEvent(SERVER_STARTED_TYPE, json)]);
  }

  async close(): Promise<void> {
    await this.queue.idle();
    await this.store.close();
  }
}
