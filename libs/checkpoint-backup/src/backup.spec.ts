import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '#domain/event';
import { groupBy } from '#platform';
import {
  type Backup,
  backupStream,
  type BackupRecord,
  change,
  compactChanges,
  type ExhaustedDelivery,
  EXHAUSTED_NAMED,
  DELIVERY_CHECKPOINT_RECORDED,
  nameNewest,
  pageBackup,
  type ParkedEntry,
  readBackup,
} from './index.js';

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

/** A stream of records, as a store gives it. */
async function read(...records: readonly BackupRecord[]) {
  return readAs(TYPE, ...records);
}

async function readAs(type: string, ...records: readonly BackupRecord[]) {
  const events = records.map((data, revision) => ({ revision, type, data }));
  return readBackup(
    {
      async *readStream() {
        // What is looked at of an event is its revision, type and data.
        yield* [...events].reverse() as unknown as RecordedEvent[];
      },
    },
    backupStream('store-1.0', 0),
  );
}
const TYPE = DELIVERY_CHECKPOINT_RECORDED;

const changes = (position: number, ...lines: string[]): BackupRecord => ({
  ...{ scope: 'changes', pagesBefore: 0, position: at(position) },
  ...compactChanges(lines),
});

const backup: Backup = {
  position: at(9),
  inFlight: new Map([
    [member(1), null],
    [member(2), LATER],
    [member(3), null],
  ]),
  parked: new Map([['subscription-sub_4', parked(4)]]),
  exhausted: new Map([[member(0), givenUp(0)]]),
  cursors: new Map([
    ['whe_1', at(3)],
    ['whe_2', at(5)],
  ]),
};

describe('the backup of a checkpoint', () => {
  it.each([1, 2, 3, 100])('reads back as it was written, in pages of %i', async (size) => {
    const records = pageBackup(backup, size);
    expect(await read(...records)).toEqual({ backup, revision: records.length - 1 });
  });

  it('is the last whole and the changes since', async () => {
    const before = { ...backup, inFlight: new Map([[member(7), null]]), parked: new Map() };
    const found = await read(
      ...pageBackup(before, 1),
      ...pageBackup(backup, 2),
      changes(11, `+${member(10)}`, `-${member(1)}`, change.parked(parked(5))),
      changes(12, change.askAgain(member(10), LATER), change.unparked('subscription-sub_4')),
      changes(12, change.cursor('whe_1', at(10)), change.cursor('whe_2', null)),
    );
    expect(found.backup).toEqual({
      position: at(12),
      inFlight: new Map([
        [member(2), LATER],
        [member(3), null],
        [member(10), LATER],
      ]),
      parked: new Map([['subscription-sub_5', parked(5)]]),
      exhausted: backup.exhausted,
      cursors: new Map([['whe_1', at(10)]]),
    });
  });

  it('takes no position from a whole that was not finished, nor loses what is in flight', async () => {
    const [page] = pageBackup({ ...backup, position: at(20) }, 1);
    const found = await read(...pageBackup(backup, 2), page!);
    expect(found.backup).toEqual(backup);
    expect(await read(page!)).toEqual({ backup: undefined, revision: 0 });
  });

  it('is made of no other type of event', async () => {
    const read = readAs('delivery_checkpoint.recorded.v1', ...pageBackup(backup, 100));
    await expect(read).rejects.toThrow('no record of a backup');
  });

  it('names nothing behind its position: that is worked on again anyway', async () => {
    const found = await read(
      ...pageBackup(backup, 9),
      changes(10, `+${member(11)}`, change.parked(parked(12))),
    );
    expect(found.backup).toEqual({ ...backup, position: at(10) });
  });
});

describe('the cursor of an endpoint that lags behind', () => {
  it('is not behind the position: what began there is not named, and would be passed over', async () => {
    const record = { ...changes(10, `+${member(11)}`, change.cursor('whe_3', at(12))) };
    const found = await read(...pageBackup(backup, 9), record);
    expect(found.backup?.cursors.get('whe_3')).toBe(at(10));
  });
});

describe('a delivery that was given up', () => {
  it('has ended, and is named from then on', async () => {
    const found = await read(
      ...pageBackup(backup, 9),
      changes(11, `+${member(10)}`, change.exhausted(givenUp(1)), change.exhausted(givenUp(10))),
    );
    expect([...(found.backup?.inFlight.keys() ?? [])]).toEqual([member(2), member(3)]);
    expect(found.backup?.exhausted).toEqual(
      new Map([0, 1, 10].map((n) => [member(n), givenUp(n)])),
    );
  });

  it('has ended, also where its end is not named: a record that seems to begin it does not', async () => {
    const lines = [`+${member(2)}`, change.exhausted(givenUp(2))];
    const record = { ...changes(11), ...compactChanges(lines, 'of earlier records') };
    const found = await read(...pageBackup(backup, 9), record);
    expect(record.ended).toEqual([]);
    expect([...(found.backup?.inFlight.keys() ?? [])]).toEqual([member(1), member(3)]);
    const again = await read(...pageBackup(backup, 9), record, changes(12, `+${member(2)}`));
    expect(again.backup?.inFlight.has(member(2))).toBe(true);
  });

  it('is named until many of its endpoint were given up after it, however old its event is', async () => {
    const of = (n: number, endpoint: string, second: number): ExhaustedDelivery => ({
      ...{ ...givenUp(n), member: member(n).replace('whe_1', endpoint) },
      exhaustedAt: new Date(1_000 * second).toISOString(),
    });
    const others = Array.from({ length: EXHAUSTED_NAMED + 2 }, (_, n) => of(n + 10, 'whe_2', n));
    // Tried for three days: its event is older than all that is named, and it was given up before most of them.
    const [late, early] = [of(2, 'whe_2', 100_000), of(3, 'whe_3', 0)];
    const found = await read(
      ...pageBackup({ ...backup, exhausted: new Map(), position: at(99_999) }, 9),
      changes(99_999, ...[late, early, ...others].map((each) => change.exhausted(each))),
    );
    const named = [...(found.backup?.exhausted.keys() ?? [])];
    expect(named).toHaveLength(EXHAUSTED_NAMED);
    expect(named.slice(0, 3)).toEqual([late.member, early.member, others[4]?.member]);
  });

  it('is one of few where an endpoint has few, and of as many as others where it has many', () => {
    const all = [1, EXHAUSTED_NAMED, 900, EXHAUSTED_NAMED].flatMap((count, endpoint) =>
      Array.from({ length: count }, (_, n) => ({
        ...givenUp(n),
        member: member(n).replace('whe_1', `whe_${endpoint}`),
      })),
    );
    const named = groupBy([...nameNewest(all).keys()], (each) => each.split(' ')[1] ?? '');
    const sizes = named.map(({ length }) => length).sort((one, other) => one - other);
    const most = Math.floor((EXHAUSTED_NAMED - 901) / 2);
    expect(sizes).toEqual([1, 900, most, most]);
  });
});

describe('the records of a whole', () => {
  it('are no larger than a store takes, with as many long reasons as are named', async () => {
    const reason = '\u0000'.repeat(200);
    const exhausted = Array.from({ length: EXHAUSTED_NAMED }, (_, n) => ({
      ...givenUp(n),
      reason,
    }));
    const inFlight = Array.from(
      { length: 5_000 },
      (_, n) => [member(n + EXHAUSTED_NAMED), LATER] as const,
    );
    const whole: Backup = {
      ...{ position: at(99_999), inFlight: new Map(inFlight), parked: new Map() },
      exhausted: new Map(exhausted.map((each) => [each.member, each])),
      cursors: new Map(),
    };
    const records = pageBackup(whole, 4_000);
    const largest = Math.max(...records.map((each) => JSON.stringify(each).length));
    // What EventStoreDB takes at a time, unless it is set otherwise.
    expect(largest).toBeLessThan(1_048_576);
    expect((await read(...records)).backup).toEqual(whole);
  });
});

describe('the changes of a record', () => {
  // A whole may name what began while it was read: only the end that is named takes it out again.
  it('name all that ended, also what began since the record before', () => {
    const { begun, ended } = compactChanges([
      ...[`+${member(1)}`, `-${member(1)}`],
      ...[`-${member(2)}`, `+${member(3)}`],
    ]);
    expect({ begun, ended }).toEqual({ begun: [member(3)], ended: [member(1), member(2)] });
  });

  it('come to the same when they are written twice', async () => {
    const lines = [`-${member(1)}`, `+${member(8)}`, change.askAgain(member(8), LATER)];
    const once = await read(...pageBackup(backup, 9), changes(10, ...lines));
    const twice = await read(
      ...pageBackup(backup, 9),
      changes(9, ...lines),
      changes(10, ...lines, ...lines),
    );
    expect(twice.backup).toEqual(once.backup);
  });

  it('say when a charge is asked for again, the last time that was said', () => {
    const lines = [change.askAgain(member(1), LATER), change.askAgain(member(1), 'later')];
    expect(compactChanges(lines)).toMatchObject({
      ...{ begun: [], ended: [] },
      askAgain: [{ member: member(1), at: 'later' }],
    });
  });
});
