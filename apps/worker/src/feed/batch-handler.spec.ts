import { describe, expect, it } from 'vitest';
import { at, createEvent } from '../spec-support/fakes.js';
import { BatchHandler } from './batch-handler.js';
import type { EventDispatcher } from './event-dispatcher.js';
import type { FeedCheckpoint } from '../redis/feed-checkpoint.js';
import { ProgressNotifier } from './progress-notifier.js';

function create(more: Partial<EventDispatcher> = {}) {
  const log: string[] = [];
  const dispatcher: Partial<EventDispatcher> = {
    admit: async (items) => items.filter((item) => !('undecodable' in item)) as never,
    dispatch: async (events) => void log.push(`work ${events.length}`),
    ...more,
  };
  const checkpoint: Partial<FeedCheckpoint> = {
    advance: async (to, lastEventAt) => {
      log.push(`checkpoint ${Number(to)}${lastEventAt ? ` of ${Number(lastEventAt)}` : ''}`);
    },
  };
  const notifier = new ProgressNotifier();
  notifier.observe({
    onProcessed: (events) => log.push(`tell ${events.length}`),
  });
  const handler = new BatchHandler(
    dispatcher as EventDispatcher,
    checkpoint as FeedCheckpoint,
    notifier,
  );
  return { handler, log, notifier };
}

describe('a batch of the feed', () => {
  it('is worked on, then the checkpoint moves, then observers learn of it', async () => {
    const { handler, log } = create();
    await handler.handle([createEvent('sub_1', 7)], at(8));
    expect(log).toEqual(['work 1', 'checkpoint 8 of 7', 'tell 1']);
  });

  it('moves no checkpoint when the work fails', async () => {
    const { handler, log } = create({ dispatch: () => Promise.reject(new Error('no')) });
    await expect(handler.handle([createEvent('sub_1', 7)], at(8))).rejects.toThrow('no');
    expect(log).toEqual([]);
  });

  it('without events of ours moves the checkpoint seldom, and observers learn of it at once', async () => {
    const { handler, log, notifier } = create();
    await handler.handle([], at(8));
    await handler.handle([], at(9));
    expect(log).toEqual(['checkpoint 8', 'tell 0', 'tell 0']);
    await notifier.waitFor(at(9), 1);
  });
});
