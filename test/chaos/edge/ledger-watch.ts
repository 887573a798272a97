import { type AllStreamRecordedEvent, EventStoreDBClient } from '@eventstore/db-client';

/**
 * Streams that are no state of the ledger: the store's own, and the progress of deliveries, which the worker notes
 * every few seconds whether anything is asked or not.
 */
const NO_STATE = /^(\$|delivery_checkpoint-)/;

/** An event that was appended, and the request or process that it came from. */
export interface LedgerEvent {
  readonly streamName: string;
  readonly type: string;
  readonly correlationId: string;
  readonly actor: string;
}

/** Reads events appended to the event store itself: the changes of a request, whatever its answer. */
export class LedgerWatch {
  readonly #client: EventStoreDBClient;
  #position: AllStreamRecordedEvent['position'] | undefined;

  constructor(eventStoreUrl: string) {
    this.#client = EventStoreDBClient.connectionString(eventStoreUrl);
  }

  /** All that came since the last call, but for streams that are no state. */
  async newEvents(): Promise<readonly LedgerEvent[]> {
    const from = this.#position;
    const found: LedgerEvent[] = [];
    const events = this.#client.readAll(from === undefined ? {} : { fromPosition: from });
    for await (const { event } of events) {
      // A read begins with the event at its position.
      if (event === undefined || event.position.commit === from?.commit) continue;
      this.#position = event.position;
      if (!NO_STATE.test(event.streamId)) found.push(toLedgerEvent(event));
    }
    return found;
  }

  async close(): Promise<void> {
    await this.#client.dispose();
  }
}

function toLedgerEvent({ streamId, type, metadata }: AllStreamRecordedEvent): LedgerEvent {
  // Every event of ours has metadata of this shape.
  const fields = (metadata ?? {}) as { $correlationId?: string; actor?: string };
  return {
    streamName: streamId,
    type,
    correlationId: fields.$correlationId ?? '',
    actor: fields.actor ?? '',
  };
}
