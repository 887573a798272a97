import { type EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import type { EventStore, EventToAppend } from '#event-store';
import { newUuid, wallClock } from '#platform';
import { IN_FLIGHT, SUBSCRIPTIONS_A_CONNECTION } from './commands-tenant.js';

/** Appends one event at an expected revision. @returns the stream's revision after it. */
type Append = (
  streamName: string,
  expected: number | 'no_stream',
  event: EventToAppend,
) => Promise<number>;

/** As the ledger itself appends (decision 0005). */
export function ownAppend(client: EventStore): Append {
  return async (streamName, expected, event) =>
    (await client.append(streamName, expected, [event])).revision;
}

/** With the client alone, as its documentation shows it. */
export function rawAppend(client: EventStoreDBClient): Append {
  return async (streamName, expected, event) => {
    const expectedRevision = typeof expected === 'number' ? BigInt(expected) : expected;
    const { id, type, metadata } = event;
    const data = event.data as Record<string, string>;
    const proposed = jsonEvent({ id, type, data, metadata });
    const appended = await client.appendToStream(streamName, proposed, { expectedRevision });
    return Number(appended.nextExpectedRevision);
  };
}

/** The same two events, appended at the expected revision. */
export class Appends {
  private readonly revisions = new Map<string, number>();

  constructor(
    private readonly name: string,
    private readonly append: Append,
    private readonly appId: string,
  ) {}

  async run(seconds: number): Promise<number> {
    const startedAt = performance.now();
    const endsAt = startedAt + seconds * 1000;
    let done = 0;
    const worker = async (_: unknown, index: number) => {
      for (let n = 0; performance.now() < endsAt; n += 1) {
        await this.appendOne(`${index}x${n % SUBSCRIPTIONS_A_CONNECTION}`, n);
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
    return done / ((performance.now() - startedAt) / 1000);
  }

  /** One at a time to each stream. @param n even for a cancel. */
  async appendOne(own: string, n: number): Promise<void> {
    const streamName = `subscription-${this.name}${own}`;
    const revision = this.revisions.get(streamName) ?? 'no_stream';
    this.revisions.set(streamName, await this.append(streamName, revision, this.event(n)));
  }

  private event(n: number): EventToAppend {
    const now = wallClock.now();
    const canceled = { canceledAt: now, accessEndsAt: now };
    const isCancel = n % 2 === 0;
    return {
      id: newUuid(),
      type: isCancel ? 'subscription.canceled.v1' : 'subscription.reactivated.v1',
      data: isCancel ? canceled : { reactivatedAt: now },
      metadata: {
        $correlationId: newUuid(),
        actor: 'app',
        appId: this.appId,
        environment: 'production' as const,
        occurredAt: now,
      },
    };
  }
}
