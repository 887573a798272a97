import type { Position, RecordedEvent } from '#domain/event';
import type { NamespaceIdentity } from '#event-store';
import { createLogger } from '#platform';
import type { Lease } from '#projection-engine';

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

/** Lets everything that is ready go on. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
