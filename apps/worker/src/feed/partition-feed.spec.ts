import { describe, expect, it } from 'vitest';
import type { Position } from '#domain/event';
import type { FeedItem } from '#event-store';
import { at, createEvent, createLease, nextTurn } from '../spec-support/fakes.js';
import type { BatchHandler } from './batch-handler.js';
import type { FeedCheckpoint } from '../redis/feed-checkpoint.js';
import { PartitionFeed } from './partition-feed.js';
import type { ParkedRetry } from './parked-retry.js';
import type { Recovery } from './recovery.js';

function create() {
  const log: string[] = [];
  const batches: Partial<BatchHandler> = {
    categories: ['subscription'],
    resumeAt: (position) => void log.push(`resume at ${Number(position)}`),
    handle: async (items: readonly FeedItem[], upTo: Position) => {
      log.push(`${items.map(({ position }) => Number(position)).join()} up to ${Number(upTo)}`);
    },
  };
  let isDue = true;
  const parked: Partial<ParkedRetry> = {
    isDue: () => isDue,
    retrySome: async (upTo) => {
      isDue = false;
      log.push(`retry up to ${Number(upTo)}`);
    },
  };
  const feed = new PartitionFeed(
    createLease(),
    { resume: async () => at(5) } as unknown as Recovery,
    batches as BatchHandler,
    { position: at(5) } as FeedCheckpoint,
    parked as ParkedRetry,
  );
  return { feed, log };
}

describe('the feed of a partition', () => {
  it('goes on where the partition stands', async () => {
    const { feed, log } = create();
    expect(await feed.resume()).toBe(at(5));
    expect(log).toEqual(['retry up to 5', 'resume at 5']);
  });

  it('leaves out what the partition has, and what is in the subscription for others', async () => {
    const { feed, log } = create();
    const app = createEvent('', 7, { streamName: 'app-app_1' });
    const events = [4, 5, 6].map((position) => createEvent('sub_1', position));
    await feed.handle([...events, app], at(8));
    expect(log).toEqual(['6 up to 8']);
  });

  it('says when it has found where to go on, and not before', async () => {
    const { feed } = create();
    const stop = new AbortController();
    let isKnown = false;
    const known = feed.untilResumed(stop.signal).then((hasResumed) => {
      isKnown = true;
      return hasResumed;
    });
    await nextTurn();
    expect(isKnown).toBe(false);
    await feed.resume();
    expect(await known).toBe(true);
  });

  it('has not found it when it is stopped before', async () => {
    const { feed } = create();
    expect(await feed.untilResumed(AbortSignal.abort())).toBe(false);
  });

  it('works on no event while a parked stream is tried again', async () => {
    const { feed, log } = create();
    const resumed = feed.resume();
    await feed.handle([createEvent('sub_1', 6)], at(6));
    await resumed;
    const after = ['6 up to 6'];
    expect(log).toEqual(['retry up to 5', 'resume at 5', ...after]);
  });

  it('does nothing with a batch of before', async () => {
    const { feed, log } = create();
    await feed.handle([createEvent('sub_1', 4)], at(5));
    expect(log).toEqual([]);
  });
});
