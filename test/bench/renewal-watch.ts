import { idOf, type Position, type RecordedEvent } from '#domain/event';
import { START, type LedgerStore } from '#event-store';
import { inOrder, readStreams } from './raw-replay.js';

/** Counts renewals as they become durable, by their apps, and keeps the events of one of them. */
export class RenewalWatch {
  readonly #counts = new Map<string, number>();
  readonly #first = new Map<string, RecordedEvent[]>();
  readonly #following = new AbortController();
  #onCount: () => void = () => undefined;
  #lastAt: Position = '';

  constructor(private readonly store: LedgerStore) {
    void this.#follow();
  }

  close(): void {
    this.#following.abort();
  }

  /** Resolves when so many of an app were renewed. @returns the position of the last of their events. */
  async until(appId: string, count: number): Promise<Position> {
    while ((this.#counts.get(appId) ?? 0) < count) {
      await new Promise<void>((resolve) => (this.#onCount = resolve));
    }
    return this.#lastAt;
  }

  /** The events of one renewal, at the sandbox gateway as well, in the order of the store. */
  async oneRenewal(): Promise<RecordedEvent[]> {
    const [events] = this.#first.values();
    if (events === undefined) throw new Error('nothing was renewed');
    const [asked] = events;
    const { paymentId } = asked?.data as { paymentId: string };
    const subscriptionId = idOf(asked?.streamName ?? '');
    const streams = [`payment-${paymentId}`, `sandbox_account-${subscriptionId}`];
    return inOrder([...events, ...(await readStreams(this.store, streams))]);
  }

  async #follow(): Promise<void> {
    const batches = this.store.subscribe({
      after: START,
      categories: ['subscription'],
      batchSize: 256,
      tellsEveryPosition: false,
      signal: this.#following.signal,
    });
    for await (const { events } of batches) {
      for (const event of events) if (!('undecodable' in event)) this.#count(event);
      this.#onCount();
    }
  }

  #count(event: RecordedEvent): void {
    const { type, streamName, metadata, position } = event;
    if (type === 'subscription.renewal_requested.v1' && this.#first.size === 0) {
      this.#first.set(streamName, [event]);
    }
    if (type !== 'subscription.renewed.v1') return;
    this.#first.get(streamName)?.push(event);
    this.#counts.set(metadata.appId, (this.#counts.get(metadata.appId) ?? 0) + 1);
    this.#lastAt = position;
  }
}
