import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Redis } from 'ioredis';
import type { LedgerStore } from '#event-store';
import { createLogger } from '#platform';
import { type RunningRedis, startRedis } from '../../../../test/support/redis.js';
import { at, countVisits, openVisits, visitNoted } from '../spec-support/visits.js';
import { AwaitedPositions } from '../stored/awaited-positions.js';
import { Round } from './round.js';

/** Of a stream whose bucket lies in the first partition. */
const event = (revision: number) => visitNoted('visit-vis_01mfxp3z80002cv3h0jcxcm9pwa0', revision);
const visits = countVisits((before) => before + 1);

describe('a round', () => {
  let server: RunningRedis;
  let redis: Redis;
  let awaited: AwaitedPositions;
  const lost: unknown[] = [];

  beforeEach(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
    awaited = new AwaitedPositions();
    lost.length = 0;
  });

  afterEach(async () => {
    redis.disconnect();
    await server.stop();
  });

  async function open(count: number, maxPerSecond: number | null = null) {
    const documents = await openVisits(redis, { projection: visits, count });
    const over = new AbortController();
    const begin = () =>
      new Round(
        {
          kind: { isCatchingUp: true, maxPerSecond },
          // It is not followed here.
          store: {} as LedgerStore,
          ...{ redis, count, awaited, signal: over.signal },
          log: createLogger('test', { level: 'silent' }),
          onCaughtUp: () => undefined,
          onMoved: () => undefined,
          onLost: (error) => {
            lost.push(error);
            over.abort();
          },
        },
        documents,
      );
    const read = () => documents.map(({ position }) => position);
    return { documents, begin, read };
  }

  it('does not write partitions without events with every batch, and at once where a reader waits', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    try {
      const { begin, read } = await open(3);
      const round = begin();
      await round.apply([event(0)], at(1));
      await round.apply([event(1)], at(2));
      await round.moveAwaited();
      expect(read()).toEqual([at(2), '', '']);
      expect(round.watermark).toBe(at(2));
      awaited.note(new Map([[1, at(2)]]));
      await round.moveAwaited();
      expect(read()).toEqual([at(2), at(2), '']);

      // The wait has ended, or its reader has: a projector forgets it.
      await round.apply([event(2)], at(3));
      awaited.note(new Map([[1, at(9)]]));
      // A wait beside it, for a present position, does not keep it alive.
      vi.advanceTimersByTime(600);
      awaited.note(new Map([[1, at(2)]]));
      vi.advanceTimersByTime(600);
      await round.moveAwaited();
      expect(read()).toEqual([at(3), at(2), '']);

      // In their time they move anyway.
      await round.apply([event(3)], at(4));
      expect(read()).toEqual([at(4), at(4), at(4)]);
      expect(lost).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is over when a partition stands elsewhere than it was left, and changes nothing any more', async () => {
    const { documents, begin, read } = await open(2);
    const round = begin();
    await round.apply([event(0)], at(1));
    expect(await round.settle()).toBe(true);
    await redis.del(documents[1]!.keys.building);
    expect(await begin().settle()).toBe(false);
    expect(lost).toMatchObject([{ code: 'conflict' }]);
    await round.apply([event(1)], at(2));
    expect(read()[0]).toBe(at(1));
  });

  it('keeps to its rate, of which the held partitions have their share', async () => {
    const { begin, read } = await open(2, 100);
    const round = begin();
    const beganAtMs = performance.now();
    await round.apply([event(0), event(1), event(2), event(3)], at(4));
    await round.apply([event(4), event(5), event(6), event(7)], at(8));
    const tookMs = performance.now() - beganAtMs;
    expect(read()[0]).toBe(at(8));
    expect(tookMs).toBeGreaterThanOrEqual(79);
    expect(tookMs).toBeLessThan(2_000);
  });
});
