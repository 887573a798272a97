import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import { groupBy } from '#platform';
import {
  type Backup,
  backupStream,
  type ExhaustedDelivery,
  EXHAUSTED_NAMED,
  exhaustedStream,
  DELIVERY_CHECKPOINT_RECORDED,
  nameNewest,
  type ParkedEntry,
  readBackup,
  readPages,
  toPages,
} from './index.js';
import type { BackupPage } from './backup.js';

const at = (n: number) => String(n).padStart(20, '0');
const member = (n: number) => `${at(n)} whe_1 subscription-sub_${n} 0 0 msg_${n}`;
const parked = (n: number): ParkedEntry => ({
  ...{ streamName: `subscription-sub_${n}`, revision: 3, position: at(n) },
  ...{ type: 'subscription.teleported.v1', reason: 'unknown_type', release: 'a', begunUpTo: '' },
});
const givenUp = (n: number): ExhaustedDelivery => ({
  ...{ member: member(n), appId: 'app_1', type: 'subscription.created', attempts: 12 },
  ...{ reason: 'the receiver answered 503', exhaustedAt: LATER },
});
const LATER = '2026-01-01T00:00:01.000Z';
const STREAM = backupStream('store-1.0', 0);

/** Streams of pages, as a store gives them. */
function createStore(
  pages: readonly BackupPage[],
  {
    list = [],
    type = DELIVERY_CHECKPOINT_RECORDED,
  }: { list?: readonly BackupPage[]; type?: string } = {},
) {
  const streams = new Map([
    [STREAM, pages],
    [exhaustedStream(STREAM), list],
  ]);
  return {
    async *readStream(stream: string) {
      const events = (streams.get(stream) ?? []).map((data, revision) => ({
        revision,
        type,
        data,
      }));
      // Only an event's revision, type and data are looked at.
      yield* events.reverse() as unknown as RecordedEvent[];
    },
  };
}

const read = (...given: Parameters<typeof createStore>) =>
  readBackup(createStore(...given), STREAM);

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

function createBackup(count: number, exhausted = count): Backup {
  return {
    position: at(99_999),
    inFlight: numbers(count).map((n) => ({
      ...{ member: member(n), ...(n % 2 === 0 ? {} : { askAgainAt: LATER }) },
    })),
    parked: numbers(count).map(parked),
    exhausted: numbers(exhausted).map((n) => givenUp(n + count)),
    cursors: numbers(count).map((n) => ({ endpointId: `whe_${n}`, after: at(n) })),
  };
}

describe('the backup of a checkpoint', () => {
  it.each([0, 1, 100, 101, 2_345])(
    'reads back as it was written, with %i things',
    async (count) => {
      const pages = toPages(createBackup(count));
      expect(await read(pages)).toEqual({
        backup: createBackup(count),
        revision: pages.length - 1,
      });
    },
  );

  it('is the last one of its stream', async () => {
    const pages = [createBackup(500), createBackup(300)].flatMap(toPages);
    expect((await read(pages)).backup).toEqual(createBackup(300));
  });

  it('counts when its last page is there, also where a later one follows what was begun', async () => {
    const begun = toPages(createBackup(300)).slice(0, 2);
    expect((await read([...toPages(createBackup(200)), ...begun])).backup).toEqual(
      createBackup(200),
    );
    expect(await read(begun)).toEqual({ backup: undefined, revision: 1 });
    const next = [...begun, ...toPages(createBackup(400))];
    expect((await read(next)).backup).toEqual(createBackup(400));
  });

  it('is made of no other type of event', async () => {
    const type = 'delivery_checkpoint.recorded.v1';
    await expect(read(toPages(createBackup(1)), { type })).rejects.toThrow('no page of a backup');
  });

  it('has no page that a store refuses, with as many long reasons as there are', async () => {
    const reason = '\u0000'.repeat(200);
    const { parked, exhausted, ...others } = createBackup(EXHAUSTED_NAMED);
    const pages = toPages({
      ...others,
      parked: parked.map((each) => ({ ...each, reason })),
      exhausted: exhausted.map((each) => ({ ...each, reason })),
    });
    const largest = Math.max(...pages.map((each) => JSON.stringify(each).length));
    // The limit of EventStoreDB's appends, unless it is set otherwise.
    expect(largest).toBeLessThan(1_048_576);
  });
});

describe('a delivery that was given up', () => {
  const list = toPages({ ...createBackup(0), exhausted: createBackup(0, 3).exhausted });

  it('is named by the list beside the backup, or by the backup itself', async () => {
    const { exhausted } = createBackup(0, 4);
    const others = exhausted.slice(3);
    const pages = toPages({ ...createBackup(0), exhausted: others });
    expect((await read(pages, { list })).backup?.exhausted).toEqual(exhausted);
    expect((await readPages(createStore(pages, { list }), STREAM)).backup?.exhausted).toEqual(
      others,
    );
  });

  it('has ended, also where the backup was written before the list', async () => {
    const { backup } = await read(toPages(createBackup(5, 0)), { list });
    expect(backup?.inFlight.map((each) => each.member)).toEqual([member(3), member(4)]);
  });

  it('is not named behind the position: it is delivered again', async () => {
    const { backup } = await read(toPages({ ...createBackup(0), position: at(1) }), { list });
    expect(backup?.exhausted).toEqual([givenUp(0), givenUp(1)]);
  });

  it('is named until many of its endpoint were given up after it, however old its event is', () => {
    const of = (n: number, endpoint: string, second: number): ExhaustedDelivery => ({
      ...{ ...givenUp(n), member: member(n).replace('whe_1', endpoint) },
      exhaustedAt: new Date(1_000 * second).toISOString(),
    });
    const others = numbers(EXHAUSTED_NAMED + 2).map((n) => of(n + 10, 'whe_2', n));
    // Tried for three days: its event is older than all that is named, and it was given up before most of them.
    const [late, early] = [of(2, 'whe_2', 100_000), of(3, 'whe_3', 0)];
    const named = nameNewest([late, early, ...others]);
    expect(named).toHaveLength(EXHAUSTED_NAMED);
    expect(named.slice(0, 3)).toEqual([late, early, others[4]]);
  });

  it('is one of few where an endpoint has few, and of as many as others where it has many', () => {
    const all = [1, EXHAUSTED_NAMED, 900, EXHAUSTED_NAMED].flatMap((count, endpoint) =>
      numbers(count).map((n) => ({
        ...givenUp(n),
        member: member(n).replace('whe_1', `whe_${endpoint}`),
      })),
    );
    const named = groupBy(nameNewest(all), (each) => each.member.split(' ')[1] ?? '');
    const sizes = named.map(({ length }) => length).sort((one, other) => one - other);
    const most = Math.floor((EXHAUSTED_NAMED - 901) / 2);
    expect(sizes).toEqual([1, 900, most, most]);
  });
});
