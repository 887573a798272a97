import type { ParkedEntry } from '#checkpoint-backup';
import type { Position, RecordedEvent } from '#domain/event';
import type { NamespaceIdentity } from '#event-store';
import { createLogger } from '#platform';
import type { Lease } from '#projection-engine';
import type { PoisonGate } from '../feed/event-consumer.js';
import { ParkedSet } from '../feed/parked-set.js';
import { ParkingGate } from '../feed/parking-gate.js';
import { workerKeys } from '../redis/keys.js';

export const silent = createLogger('test', { level: 'silent' });

/** A ledger that was never divided otherwise. */
export const createNamespace = (more: Partial<NamespaceIdentity> = {}): NamespaceIdentity => ({
  namespace: 'sl',
  storeId: 'store-1',
  partitions: 1,
  layoutId: 'store-1.0',
  before: null,
  ...more,
});

/** A lease of the only partition, for good. */
export const createLease = (): Lease => ({
  partition: 0,
  fence: { key: 'fence', token: 'epoch 1' },
  lastsUntilMs: Infinity,
});

/** A position by its number. */
export const at = (n: number): Position => String(n).padStart(20, '0');

/** An event of a subscription's stream, at the revision that its place in the stream gives it. */
export function createEvent(
  id: string,
  position: number,
  more: Partial<RecordedEvent> = {},
): RecordedEvent {
  return {
    id: `event-${position}`,
    type: 'subscription.canceled.v1',
    data: {},
    streamName: `subscription-${id}`,
    revision: 0,
    position: at(position),
    metadata: {
      $correlationId: 'request-1',
      actor: 'app',
      appId: 'app_1',
      environment: 'test',
      occurredAt: '2026-01-01T00:00:00.000Z',
    },
    ...more,
  };
}

/** Parked streams in memory. */
class ParkedInMemory extends ParkedSet {
  readonly parked = new Map<string, ParkedEntry>();

  constructor() {
    // Nothing here asks Redis.
    super(undefined as never, workerKeys('store-1', 0), createLease());
  }

  override get all() {
    return this.parked;
  }

  override async load() {
    return this.parked;
  }

  override holds({ streamName, revision }: { streamName: string; revision: number }): boolean {
    const entry = this.parked.get(streamName);
    return entry !== undefined && revision >= entry.revision;
  }

  override async park(entry: ParkedEntry): Promise<boolean> {
    if (this.parked.has(entry.streamName)) return false;
    this.parked.set(entry.streamName, entry);
    return true;
  }

  override async retry(streamName: string, work: () => Promise<void>): Promise<boolean> {
    const before = this.parked.get(streamName);
    this.parked.delete(streamName);
    await work().catch((error: unknown) => {
      if (before !== undefined) this.parked.set(streamName, before);
      throw error;
    });
    return !this.parked.has(streamName);
  }
}

/** The gate of the feed, with what it has parked. */
export function createGate(): {
  gate: ParkingGate & PoisonGate;
  parked: Map<string, ParkedEntry>;
} {
  const streams = new ParkedInMemory();
  return { gate: new ParkingGate(streams, createLease(), silent), parked: streams.parked };
}

/** Lets everything that is ready go on. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
