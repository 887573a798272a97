import { describe, expect, it } from 'vitest';
import { at, createEvent, createLease, nextTurn } from '../spec-support/fakes.js';
import type { FeedCheckpoint } from '../redis/feed-checkpoint.js';
import type { EventDispatcher } from './event-dispatcher.js';
import { PartitionFeed } from './partition-feed.js';
import type { ParkedRetry } from './parked-retry.js';
import { ProgressNotifier } from './progress-notifier.js';
import type { Recovery } from './recovery.js';

function create(more: Partial<EventDispatcher> = {}) {
  const log: string[] = [];
  const dispatcher: Partial<EventDispatcher> = {
    categories: ['subscription'],
    admit: async (items) => items as never,
    dispatch: async (events) => {
      log.push(`work on ${events.map(({ position }) => Number(position)).join()}`);
    },
    ...more,
  };
  const checkpoint: Partial<FeedCheckpoint> = {
    position: at(5),
    advance: async (to, lastEventAt) => {
      log.push(`checkpoint ${Number(to)}${lastEventAt ? ` of ${Number(lastEventAt)}` : ''}`);
    },
  };
  const notifier = new ProgressNotifier();
  notifier.observe({ onProcessed: (events) => log.push(`tell ${events.length}`) });
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
    dispatcher as EventDispatcher,
    checkpoint as FeedCheckpoint,
    notifier,
    parked as ParkedRetry,
  );
  return { feed, log, notifier };
}

describe('the feed of a partition', () => {
  it('goes on where the partition stands', async () => {
    const { feed, log, notifier } = create();
    expect(await feed.resume()).toBe(at(5));
    expect(log).toEqual(['retry up to 5', 'tell 0']);
    await notifier.waitFor(at(5), 1);
  });

  it('leaves out what the partition has, and what is in the subscription for others', async () => {
    const { feed, log } = create();
    const app = createEvent('', 7, { streamName: 'app-app_1' });
    const events = [4, 5, 6].map((position) => createEvent('sub_1', position));
    await feed.handle([...events, app], at(8));
    await feed.handle([createEvent('sub_1', 4)], at(5));
    expect(log).toEqual(['work on 6', 'checkpoint 8 of 6', 'tell 1']);
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
    expect(await create().feed.untilResumed(AbortSignal.abort())).toBe(false);
  });

  it('works on no event while a parked stream is tried again', async () => {
    const { feed, log } = create();
    const resumed = feed.resume();
    await feed.handle([createEvent('sub_1', 6)], at(6));
    await resumed;
    expect(log.slice(0, 3)).toEqual(['retry up to 5', 'tell 0', 'work on 6']);
  });
});

describe('a batch of the feed', () => {
  it('is worked on, then the checkpoint moves, then observers learn of it', async () => {
    const { feed, log } = create();
    await feed.handle([createEvent('sub_1', 7)], at(8));
    expect(log).toEqual(['work on 7', 'checkpoint 8 of 7', 'tell 1']);
  });

  it('moves no checkpoint when the work fails', async () => {
    const { feed, log } = create({ dispatch: () => Promise.reject(new Error('no')) });
    await expect(feed.handle([createEvent('sub_1', 7)], at(8))).rejects.toThrow('no');
    expect(log).toEqual([]);
  });

  it('without events of ours moves the checkpoint seldom, and observers learn of it at once', async () => {
    const { feed, log, notifier } = create();
    await feed.handle([], at(8));
    await feed.handle([], at(9));
    expect(log).toEqual(['checkpoint 8', 'tell 0', 'tell 0']);
    await notifier.waitFor(at(9), 1);
    await feed.settle();
    expect(log.at(-1)).toBe('checkpoint 9');
  });

  it('counts for nothing once the feed goes on from before it, since Redis has lost something', async () => {
    const { feed, log } = create();
    await feed.handle([], at(8));
    await feed.resume();
    log.splice(0);
    await feed.settle();
    expect(log).toEqual([]);
  });
});
