import { describe, expect, it } from 'vitest';
import {
  type Backup,
  type ExhaustedDelivery,
  inFlightMember,
  type ParkedEntry,
} from '#worker-state';
import { at, createEvent } from '../spec-support/fakes.js';
import { BackupSnapshot } from './backup-snapshot.js';

const member = (n: number) => inFlightMember(createEvent(`sub_${n}`, n), 'whe_1', 'msg_1');

const parkedAt = (n: number): ParkedEntry => ({
  ...{ streamName: `subscription-sub_${n}`, revision: 0, position: at(n), type: 'x' },
  ...{ reason: 'not known', release: 'r1', begunUpTo: '' },
});
const givenUp = (n: number): ExhaustedDelivery => ({
  ...{ member: member(n), appId: 'app_1', type: 'subscription.created', attempts: 12 },
  ...{ reason: 'the receiver answered 503', exhaustedAt: '2026-01-01T00:00:00.000Z' },
});

/** The content of Redis at position 9. */
function createRedis() {
  return {
    standing: { position: at(9), identity: 'e 1' } as
      { position: string; identity: string } | undefined,
    inFlight: new Set<string>(),
    cursors: new Map([['whe_1', at(2)]]),
    parked: new Map([parkedAt(3), parkedAt(12)].map((entry) => [entry.streamName, entry])),
    exhausted: [givenUp(1), givenUp(11)],
  };
}

/** A snapshot that is taken while something happens between two of its reads. */
function take(
  meanwhile: (redis: ReturnType<typeof createRedis>) => void,
  redis = createRedis(),
): Promise<Backup | undefined> {
  const snapshot = new BackupSnapshot(
    { peek: async () => redis.standing },
    { read: async () => new Map(redis.cursors) },
    { read: async () => [...redis.parked.values()] },
    {
      async *pages() {
        yield [...redis.inFlight].map((each) => ({ member: each, dueAtMs: null }));
        // Redis has answered, and the next answer is not there yet.
        meanwhile(redis);
      },
    },
    { read: async () => redis.exhausted },
  );
  return snapshot.take();
}

describe('a snapshot of what Redis knows', () => {
  it('has an endpoint backlogged from before what began while it was taken', async () => {
    const taken = await take((redis) => {
      redis.inFlight.add(member(3));
      redis.cursors.set('whe_1', at(4));
    });
    expect(taken).toMatchObject({ inFlight: [], cursors: [{ endpointId: 'whe_1', after: at(2) }] });
  });

  it('has a stream parked that went on while it was taken', async () => {
    const taken = await take((redis) => {
      redis.inFlight.add(member(3));
      redis.parked.clear();
    });
    expect(taken).toMatchObject({ inFlight: [], parked: [parkedAt(3)] });
  });

  it('names nothing behind its position: that is worked on again anyway', async () => {
    const redis = createRedis();
    for (const n of [9, 10]) redis.inFlight.add(member(n));
    // Work that was begun behind the position is not named, so that a cursor there would pass it over.
    redis.cursors.set('whe_2', at(12));
    expect(await take(() => undefined, redis)).toEqual({
      position: at(9),
      inFlight: [{ member: member(9) }],
      parked: [parkedAt(3)],
      exhausted: [givenUp(1)],
      cursors: [
        { endpointId: 'whe_1', after: at(2) },
        { endpointId: 'whe_2', after: at(9) },
      ],
    });
  });

  it.each([
    ['was emptied', undefined],
    ['was emptied and restored', { position: at(9), identity: 'e2 1' }],
    [
      'is another server, which may lack what was written last',
      { position: at(9), identity: 'e 2' },
    ],
  ])('is none where Redis %s while it was taken', async (_, standing) => {
    expect(await take((redis) => (redis.standing = standing))).toBeUndefined();
  });
});
