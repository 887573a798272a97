import { describe, expect, it } from '@jest/globals';
import type { Position } from '#domain/event';
import type { FeedItem } from '#event-store';
import { at, createEvent, createLease } from '../spec-support/fakes.js';
import type { BatchHandler } from './batch-handler.js';
import type { FeedCheckpoint } from './feed-checkpoint.js';
import type { LossWatch } from './loss-watch.js';
import { PartitionFeed } from './partition-feed.js';
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
  const feed = new PartitionFeed(
    createLease(),
    { resume: async () => at(5) } as unknown as Recovery,
    batches as BatchHandler,
    { position: at(5) } as FeedCheckpoint,
    {} as LossWatch,
  );
  return { feed, log };
}

describe('the feed of a partition', () => {
  it('goes on where the partition stands', async () => {
    const { feed, log } = create();
    expect(await feed.resume()).toBe(at(5));
    expect(log).toEqual(['resume at 5']);
  });

  it('leaves out what the partition has, and what is in the subscription for others', async () => {
    const { feed, log } = create();
    const app = createEvent('', 7, { streamName: 'app-app_1' });
    const events = [4, 5, 6].map((position) => createEvent('sub_1', position));
    await feed.handle([...events, app], at(8));
    expect(log).toEqual(['6 up to 8']);
  });

  it('does nothing with a batch of before', async () => {
    const { feed, log } = create();
    await feed.handle([createEvent('sub_1', 4)], at(5));
    expect(log).toEqual([]);
  });
});
