import { describe, expect, it } from '@jest/globals';
import { at } from '../spec-support/fakes.js';
import { CHANGES_READ_AT_ONCE, IDLE_BACKUP_EVERY_MS, RECORDS_BETWEEN_WHOLES } from '../limits.js';
import { createBackup, member, NOTHING } from './spec-support/checkpoint-backup.js';

const isNew = () => true;

describe('the backup of the checkpoint', () => {
  it('is a whole first, and then what changes', async () => {
    const { backup, redis, records, begin, end, known } = createBackup();
    redis.position = at(5);
    begin(3);
    await backup.write(isNew);
    redis.position = at(9);
    begin(7);
    begin(8);
    end(8);
    end(3);
    await backup.write(isNew);
    expect(records).toHaveLength(2);
    expect(records.at(-1)).toMatchObject({
      // A whole before may name what has begun and ended since: an end is always named.
      ...{ position: at(9), begun: [member(7)], ended: [member(8), member(3)] },
    });
    expect(known()).toEqual([member(7)]);
  });

  it('forgets what began while a whole was read, once it has ended', async () => {
    const { backup, redis, whileRead, begin, end, known } = createBackup();
    redis.position = at(5);
    whileRead.push(() => begin(4));
    await backup.write(isNew);
    expect(known()).toEqual([member(4)]);
    end(4);
    redis.position = at(6);
    await backup.write(isNew);
    expect(known()).toEqual([]);
  });

  it('leaves out what began and ended since the record before, once no whole can name it', async () => {
    const { backup, redis, records, begin, end, known } = createBackup();
    redis.position = at(1);
    await backup.write(isNew);
    const beginAndEnd = async (n: number) => {
      begin(n);
      end(n);
      redis.position = at(n);
      await backup.write(isNew);
    };
    begin(2);
    await beginAndEnd(3);
    expect(records.at(-1)).toMatchObject({ begun: [member(2)], ended: [member(3)] });
    await beginAndEnd(4);
    expect(records.at(-1)).toMatchObject({ position: at(4), begun: [], ended: [] });
    end(2);
    await beginAndEnd(5);
    expect(records.at(-1)).toMatchObject({ begun: [], ended: [member(2)] });
    expect(known()).toEqual([]);
  });

  it('names every end until all lines that a whole was read beside are named', async () => {
    const { backup, redis, whileRead, begin, end, known } = createBackup();
    redis.position = at(5);
    // While the whole is read, more begins than one record names, and the last of it is in the whole.
    whileRead.push(() => {
      for (let n = 6; n < CHANGES_READ_AT_ONCE + 6; n += 1) begin(n);
      begin(4);
    });
    await backup.write(isNew);
    expect(known()).toEqual([member(4)]);
    end(4);
    await backup.write(isNew);
    await backup.write(isNew);
    expect(known()).toEqual([]);
  });

  it('is a whole again now and then, so that little has to be read', async () => {
    const { backup, redis, records } = createBackup();
    for (let n = 1; n <= RECORDS_BETWEEN_WHOLES + 2; n += 1) {
      redis.position = at(n);
      await backup.write(isNew);
    }
    expect(records.filter(({ scope }) => scope === 'whole')).toHaveLength(2);
  });

  it('says nothing while Redis is emptied, or stands before what was said', async () => {
    const { backup, redis, records } = createBackup();
    await backup.write(isNew);
    redis.position = at(5);
    await backup.write(isNew);
    redis.position = at(4);
    redis.lines.push(`+${member(2)}`);
    await backup.write(isNew);
    expect(records).toHaveLength(1);
  });

  it('does not put a Redis that was thrown back over what another process wrote', async () => {
    const { backup, redis, records } = createBackup();
    records.push({ scope: 'whole', pagesBefore: 0, position: at(9), ...NOTHING });
    redis.position = at(8);
    await backup.write(isNew);
    expect(records).toHaveLength(1);
  });

  it('is a whole after a loss: what is begun again then has been named, and its end must be', async () => {
    const { backup, redis, records, begin, end, known } = createBackup();
    redis.position = at(1);
    await backup.write(isNew);
    redis.position = at(2);
    await backup.write(isNew);
    begin(3);
    redis.position = at(5);
    await backup.write(isNew);
    expect(known()).toEqual([member(3)]);
    // Redis is thrown back; recovery names it again, and it ends at once.
    redis.identity = 'e 2';
    begin(3);
    end(3);
    await backup.write(isNew);
    expect(known()).toEqual([]);
    expect(records.at(-1)).toMatchObject({ scope: 'whole' });
    redis.position = at(6);
    await backup.write(isNew);
    expect(records.at(-1)).toMatchObject({ scope: 'changes' });
  });

  it('says nothing twice where nothing is new', async () => {
    const { backup, redis, records } = createBackup();
    redis.position = at(5);
    await backup.write(isNew);
    redis.position = at(6);
    await backup.write(() => false);
    expect(records).toHaveLength(1);
    await backup.writeLast();
    await backup.writeLast();
    expect(records).toHaveLength(2);
  });

  it('has a record of a partition without events at once, and then one in a quarter of an hour as it moves', async () => {
    const { backup, batches, redis, records } = createBackup();
    const nowMs = performance.now();
    redis.position = at(5);
    await backup.writeNews(nowMs);
    redis.position = at(9);
    await backup.writeNews(nowMs);
    expect(records).toMatchObject([{ scope: 'whole', position: at(5) }]);
    const laterMs = performance.now() + IDLE_BACKUP_EVERY_MS;
    for (const atMs of [laterMs, laterMs]) await backup.writeNews(atMs);
    expect(records.slice(1)).toMatchObject([{ scope: 'changes', position: at(9) }]);
    redis.position = at(10);
    batches.lastEventAt = at(10);
    await backup.writeNews(nowMs);
    expect(records.slice(2)).toMatchObject([{ scope: 'changes', position: at(10) }]);
  });

  it('reads the store once where a stop in order has left nothing to say', async () => {
    const { backup, redis, records, reads } = createBackup();
    records.push({ scope: 'whole', pagesBefore: 0, position: at(9), ...NOTHING });
    redis.position = at(9);
    await backup.writeNews(performance.now());
    await backup.writeNews(performance.now());
    expect([records.length, reads.count]).toEqual([1, 1]);
    redis.position = at(10);
    await backup.writeNews(performance.now());
    expect(records.at(-1)).toMatchObject({ scope: 'whole', position: at(10) });
  });

  it.each(['append', 'drop'] as const)('is a whole after a failure to %s', async (act) => {
    const { backup, redis, records, failing, begin, end, known } = createBackup();
    redis.position = at(5);
    await backup.write(isNew);
    begin(3);
    redis.position = at(6);
    failing[act] = true;
    await backup.write(isNew);
    failing[act] = false;
    end(3);
    begin(4);
    redis.position = at(7);
    await backup.write(isNew);
    expect(records.at(-1)).toMatchObject({ scope: 'whole', position: at(7) });
    expect(known()).toEqual([member(4)]);
  });
});
