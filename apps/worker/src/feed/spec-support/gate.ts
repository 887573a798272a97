import { type ParkedEntry, workerKeys } from '#worker-state';
import { ParkedSet } from '../../redis/parked-set.js';
import { createLease, silent } from '../../spec-support/fakes.js';
import type { PoisonGate } from '../event-consumer.js';
import { ParkingGate } from '../parking-gate.js';

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

/** The gate of the feed, with the streams that it has parked. */
export function createGate(): {
  gate: ParkingGate & PoisonGate;
  parked: Map<string, ParkedEntry>;
} {
  const streams = new ParkedInMemory();
  return { gate: new ParkingGate(streams, createLease(), silent), parked: streams.parked };
}
