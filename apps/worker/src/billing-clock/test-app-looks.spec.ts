import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import { ProgressNotifier } from '../feed/progress-notifier.js';
import { at, createEvent } from '../spec-support/fakes.js';
import { TestAppLooks } from './test-app-looks.js';

const SOON_MS = 5_000;

function create() {
  const notifier = new ProgressNotifier();
  let wake: (appId: string) => void = () => undefined;
  const looks = new TestAppLooks(
    {
      has: (appId) => appId === 'app_1',
      follow: (onClock) => {
        wake = (appId) => onClock(appId, true);
        wake('app_1');
        return () => undefined;
      },
    },
    notifier,
  );
  looks.onModuleInit();
  looks.follow();
  const changed = (position: number, appId = 'app_1'): RecordedEvent => {
    const event = createEvent('sub_1', position);
    return { ...event, metadata: { ...event.metadata, appId } };
  };
  const now = Date.now();
  const take = (afterMs = 0) => looks.take(now + afterMs);
  return { notifier, looks, wake: () => wake('app_1'), changed, now, take };
}

describe('looks into test apps', () => {
  it('leave an app alone until something is due in it, and for good where nothing is', () => {
    const { looks, now, take } = create();
    expect(take()).toEqual(['app_1']);
    looks.leaveAlone('app_1', at(1), now + SOON_MS);
    expect(take(1_000)).toEqual([]);
    expect(take(SOON_MS + 1_000)).toEqual(['app_1']);
    looks.leaveAlone('app_1', at(1), undefined);
    expect(take(99 * SOON_MS)).toEqual([]);
  });

  it('are made again at once when a subscription of the app changes, or its clock', () => {
    const { looks, notifier, changed, wake, take } = create();
    take();
    looks.leaveAlone('app_1', at(1), undefined);
    notifier.processed([changed(5), changed(6, 'app_2')], at(6));
    expect(take()).toEqual(['app_1']);
    looks.leaveAlone('app_1', at(6), undefined);
    wake();
    expect(take()).toEqual(['app_1']);
  });

  it('do not believe read models that lack what this process knows', () => {
    const { looks, notifier, changed, take } = create();
    take();
    notifier.processed([changed(5)], at(9));
    take();
    looks.leaveAlone('app_1', at(4), undefined);
    looks.noteShown(at(9));
    expect(take(1_000)).toEqual(['app_1']);
    looks.leaveAlone('app_1', at(9), undefined);
    looks.noteShown(at(9));
    expect(take(2_000)).toEqual([]);
  });

  it('are not made again and again while read models stay behind', () => {
    const { looks, notifier, changed, take, now } = create();
    notifier.processed([changed(5)], at(9));
    take();
    looks.leaveAlone('app_1', at(4), undefined);
    expect(looks.awaitsReadModels).toBe(true);
    looks.noteShown(at(8));
    expect(take(1_000)).toEqual([]);
    looks.noteShown(at(9));
    expect(looks.awaitsReadModels).toBe(false);
    expect(take(2_000)).toEqual(['app_1']);
    // A known due date is not waited with.
    looks.leaveAlone('app_1', at(8), now + SOON_MS);
    expect(take(SOON_MS + 1_000)).toEqual(['app_1']);
    expect(looks.awaitsReadModels).toBe(false);
  });

  it('do not believe read models that are behind the place where the feed went on', () => {
    const { looks, notifier, take } = create();
    notifier.processed([], at(7));
    take();
    looks.leaveAlone('app_1', at(6), undefined);
    looks.noteShown(at(7));
    expect(take(1_000)).toEqual(['app_1']);
    looks.leaveAlone('app_1', at(7), undefined);
    expect(take(2_000)).toEqual([]);
  });

  it('are made again where the clock moved while one was made', () => {
    const { looks, now, wake, take } = create();
    take();
    wake();
    looks.leaveAlone('app_1', at(9), now + 99 * SOON_MS);
    expect(take(1_000)).toEqual(['app_1']);
  });
});
