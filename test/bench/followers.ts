import { once } from 'node:events';
import { type EventStoreDBClient, type Filter, streamNameFilter } from '@eventstore/db-client';

/** Fewer than the store keeps names of, so that a second follower finds them there. */
const FOLLOWED_EVENTS = 100_000;

/**
 * Events a second that a subscription goes through until it is live: all of them, and with an expression that
 * matches one stream in 250 of `event-store.bench.ts`, for the first follower and for a second one.
 */
export async function measureFollowers(
  client: EventStoreDBClient,
  lastPosition: number,
): Promise<Record<'all' | 'oneBucket' | 'oneBucketAgain', number>> {
  const events = Math.min(FOLLOWED_EVENTS, lastPosition);
  const after = BigInt(lastPosition - events);
  const follow = async (filter?: Filter): Promise<number> => {
    const startedAt = performance.now();
    const subscription = client.subscribeToAll({
      fromPosition: { commit: after, prepare: after },
      ...(filter && { filter }),
    });
    subscription.on('data', () => undefined);
    await once(subscription, 'caughtUp');
    await subscription.unsubscribe();
    return Math.round((events / (performance.now() - startedAt)) * 1000);
  };
  const oneBucket = streamNameFilter({ regex: '^subscription-bench-[12][0-9]$' });
  return {
    // The names are not read before a filter asks for them.
    all: await follow(),
    oneBucket: await follow(oneBucket),
    oneBucketAgain: await follow(oneBucket),
  };
}
