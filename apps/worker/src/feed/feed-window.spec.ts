import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Partitions } from '#event-store';
import { FEED_LAG_WANTED_MS, WINDOW_AT_LEAST, WINDOW_AT_MOST } from '../limits.js';
import { at } from '../spec-support/fakes.js';
import { FeedWindow } from './feed-window.js';
import { ProgressNotifier } from './progress-notifier.js';

/** A feed whose position is reached when a test says so. */
function create(partitions = 1) {
  const notifier = new ProgressNotifier();
  const window = new FeedWindow(notifier, new Partitions(partitions));
  let position = 0;
  /** Events that are appended together, and worked on after so long. */
  const append = async (count: number, lagMs: number) => {
    const positions = Array.from({ length: count }, () => at((position += 1)));
    const noted = Promise.all(positions.map((one) => window.noteAppended(one)));
    jest.advanceTimersByTime(lagMs);
    notifier.processed([], at(position));
    await noted;
  };
  return { window, append };
}

describe('the window of jobs', () => {
  const LATE_MS = FEED_LAG_WANTED_MS + 1;
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is wide while the feed keeps up', async () => {
    const { window, append } = create();
    await append(20, FEED_LAG_WANTED_MS);
    expect(window.size).toBe(WINDOW_AT_MOST);
  });

  it('is cut once for a delay, however many events were late by it', async () => {
    const { window, append } = create();
    await append(20, LATE_MS);
    expect(window.size).toBe(Math.floor((WINDOW_AT_MOST * 2) / 3));
    await append(20, LATE_MS);
    expect(window.size).toBe(28);
  });

  it('never falls below what keeps a backlog going, over all partitions', async () => {
    const one = create();
    const many = create(16);
    for (let n = 0; n < 20; n += 1) {
      await one.append(1, LATE_MS);
      await many.append(1, LATE_MS);
    }
    expect([one.window.size, many.window.size]).toEqual([WINDOW_AT_LEAST, 1]);
  });

  it('grows by one for each event that is worked on in time', async () => {
    const { window, append } = create();
    for (let n = 0; n < 20; n += 1) await append(1, LATE_MS);
    await append(5, 0);
    expect(window.size).toBe(WINDOW_AT_LEAST + 5);
  });
});
