import { describe, expect, it } from '@jest/globals';
import { change } from '#checkpoint-backup';
import { CHANGES_READ_AT_ONCE } from '../limits.js';
import { at } from '../spec-support/fakes.js';
import { createBackup, member } from './spec-support/checkpoint-backup.js';

const isNew = () => true;
/** What EventStoreDB takes at a time, unless it is set otherwise. */
const MAX_APPEND_BYTES = 1_048_576;
/** Several records of them. */
const GIVEN_UP = 2_000;

/** decision 0165 */
describe('the backup of the checkpoint under load', () => {
  it('goes on however much is in flight, and names all of it', async () => {
    const { backup, redis, records, begin, known, readBackup } = createBackup();
    redis.position = at(1);
    await backup.write(isNew);
    for (let n = 2; n < CHANGES_READ_AT_ONCE + 100; n += 1) begin(n);
    redis.position = at(CHANGES_READ_AT_ONCE + 100);
    await backup.write(isNew);
    // Until all of it is named, a position beyond would forget the rest.
    expect(records.slice(1, -1).map(({ position }) => position)).toContain(at(1));
    expect(records.slice(1, -1).some(({ position }) => position !== at(1))).toBe(false);
    expect(readBackup()?.position).toBe(at(CHANGES_READ_AT_ONCE + 100));
    expect(known()).toHaveLength(CHANGES_READ_AT_ONCE + 98);
  });

  it('goes on under a load of which nearly all has ended by the time that it is named', async () => {
    const { backup, redis, records, readBackup } = createBackup();
    const long = (n: number) =>
      `${at(n)} whe_01jz8m0000000000000000003f subscription-sub_01jz8m0000000000000000003f 12 0 ` +
      'msg_3f2504e0-4f89-41d3-9a0c-0305e82c3301';
    redis.position = at(1);
    await backup.write(isNew);
    for (let second = 1; second <= 3; second += 1) {
      for (let n = 1; n <= 4_000; n += 1) redis.lines.push(`+${long(n)}`, `-${long(n)}`);
      redis.position = at(1 + second * 4_000);
      await backup.write(isNew);
      expect(readBackup()?.position).toBe(redis.position);
    }
    const recordsBefore = records.length;
    for (let n = 1; n <= 4_000; n += 1) redis.lines.push(`+${long(n)}`, `-${long(n)}`);
    await backup.write(isNew);
    expect(records).toHaveLength(recordsBefore + 1);
    const largest = Math.max(...records.map((each) => JSON.stringify(each).length));
    expect(largest).toBeLessThan(MAX_APPEND_BYTES);
  });

  it('has no record that a store refuses, whatever was given up and why', async () => {
    const { backup, redis, records, readBackup } = createBackup();
    redis.position = at(1);
    await backup.write(isNew);
    const given = { appId: 'app_1', type: 'subscription.created', attempts: 20, exhaustedAt: '' };
    for (let n = 2; n < GIVEN_UP + 2; n += 1) {
      const delivery = { member: member(n), ...given, reason: '\u0000'.repeat(200) };
      redis.lines.push(change.exhausted(delivery));
    }
    redis.position = at(GIVEN_UP + 2);
    while (redis.lines.length > 0) await backup.write(isNew);
    const largest = Math.max(...records.map((each) => JSON.stringify(each).length));
    expect(largest).toBeLessThan(MAX_APPEND_BYTES);
    expect(readBackup()?.position).toBe(at(GIVEN_UP + 2));
    expect([...(readBackup()?.exhausted.keys() ?? [])].at(-1)).toBe(member(GIVEN_UP + 1));
  });
});
