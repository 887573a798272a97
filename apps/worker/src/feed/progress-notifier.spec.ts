import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import { ProgressNotifier } from './progress-notifier.js';

const at = (n: number) => String(n).padStart(20, '0');

describe('the progress of the feed', () => {
  it('resolves for those who wait when their position is reached, at once when it is behind', async () => {
    const notifier = new ProgressNotifier();
    const waiting = notifier.waitFor(at(5), 1_000);
    notifier.processed([], at(4));
    notifier.processed([], at(5));
    await waiting;
    await notifier.waitFor(at(3), 1);
  });

  it('is not waited for beyond the limit', async () => {
    await expect(new ProgressNotifier().waitFor(at(1), 1)).rejects.toThrow('the feed');
  });

  it('calls observers before it resolves what waits', async () => {
    const notifier = new ProgressNotifier();
    const seen: string[] = [];
    notifier.observe({
      onProcessed: (events) => seen.push(`processed ${events.length}`),
    });
    const waiting = notifier.waitFor(at(5), 1_000).then(() => seen.push('reached'));
    // Observers look at the events; here they are only counted.
    notifier.processed([{} as RecordedEvent], at(5));
    await waiting;
    expect(seen).toEqual(['processed 1', 'reached']);
  });
});
