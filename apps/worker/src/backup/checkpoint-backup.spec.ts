import { describe, expect, it } from 'vitest';
import { type Backup, inFlightMember, toPages } from '#worker-state';
import { BACKUP_PAGE_EVERY_MS, IDLE_BACKUP_EVERY_MS } from '../limits.js';
import { at, createEvent, silent } from '../spec-support/fakes.js';
import { CheckpointBackup } from './checkpoint-backup.js';

const member = (n: number) => inFlightMember(createEvent(`sub_${n}`, n), 'whe_1', 'msg_1');

const NOTHING: Omit<Backup, 'position'> = {
  ...{ inFlight: [], parked: [], exhausted: [], cursors: [] },
};

/** A backup over a Redis with this content. */
function create() {
  const redis = { position: '', inFlight: new Set<string>() };
  const written: Backup[] = [];
  const store = { revision: -1, reads: 0, isDown: false };
  const checkpoint = { lastEventAt: '' };
  const snapshot = {
    take: async (): Promise<Backup | undefined> => {
      const inFlight = [...redis.inFlight].map((each) => ({ member: each }));
      return redis.position === '' ? undefined : { ...NOTHING, ...redis, inFlight };
    },
  };
  const backups = {
    read: async () => {
      store.reads += 1;
      return { backup: written.at(-1), revision: store.revision };
    },
    append: async (revision: number, backup: Backup) => {
      if (store.isDown || revision !== store.revision) throw new Error('a conflict');
      written.push(backup);
      return (store.revision += toPages(backup).length);
    },
  };
  const list = { nameOthers: async (exhausted: Backup['exhausted']) => exhausted };
  const backup = new CheckpointBackup(snapshot, backups, list, checkpoint, silent);
  const write = () => backup.writeNews(performance.now());
  return { backup, write, redis, checkpoint, written, store };
}

describe('the backup of the checkpoint', () => {
  it('is written where something has begun or ended, and not twice', async () => {
    const { write, redis, written } = create();
    redis.position = at(5);
    redis.inFlight.add(member(3));
    for (let n = 0; n < 2; n += 1) await write();
    redis.inFlight.delete(member(3));
    for (let n = 0; n < 2; n += 1) await write();
    expect(written.map(({ inFlight }) => inFlight.length)).toEqual([1, 0]);
  });

  it('says nothing while Redis is emptied, or stands before what was said', async () => {
    const { write, redis, written } = create();
    await write();
    redis.position = at(5);
    await write();
    redis.position = at(4);
    redis.inFlight.add(member(2));
    await write();
    expect(written).toHaveLength(1);
  });

  it('does not put a Redis that was thrown back over what another process wrote', async () => {
    const { write, redis, written } = create();
    written.push({ ...NOTHING, position: at(9) });
    redis.position = at(8);
    redis.inFlight.add(member(2));
    await write();
    expect(written).toHaveLength(1);
  });

  it('is written at once in a partition without events, and then once in a quarter of an hour as it moves', async () => {
    const { backup, checkpoint, redis, written } = create();
    const nowMs = performance.now();
    redis.position = at(5);
    await backup.writeNews(nowMs);
    redis.position = at(9);
    await backup.writeNews(nowMs);
    expect(written.map(({ position }) => position)).toEqual([at(5)]);
    const laterMs = performance.now() + IDLE_BACKUP_EVERY_MS;
    for (const atMs of [laterMs, laterMs]) await backup.writeNews(atMs);
    redis.position = at(10);
    checkpoint.lastEventAt = at(10);
    await backup.writeNews(nowMs);
    expect(written.map(({ position }) => position)).toEqual([at(5), at(9), at(10)]);
  });

  it('is written once more by a stop in order, at its last position', async () => {
    const { backup, write, redis, written } = create();
    redis.position = at(5);
    await write();
    redis.position = at(6);
    for (let n = 0; n < 2; n += 1) await backup.writeLast();
    expect(written.map(({ position }) => position)).toEqual([at(5), at(6)]);
  });

  it('reads the store once where a stop in order has left nothing to say', async () => {
    const { write, redis, written, store } = create();
    written.push({ ...NOTHING, position: at(9) });
    redis.position = at(9);
    for (let n = 0; n < 2; n += 1) await write();
    expect([written.length, store.reads]).toEqual([1, 1]);
  });

  it('goes on from what the store has after a failure', async () => {
    const { write, redis, written, store } = create();
    redis.position = at(5);
    await write();
    redis.inFlight.add(member(3));
    store.isDown = true;
    await write();
    // Some pages may be there, and no answer.
    store.revision += 1;
    store.isDown = false;
    await write();
    expect(written.map(({ inFlight }) => inFlight.length)).toEqual([0, 1]);
  });

  it('is written the more seldom the more pages it has', async () => {
    const { backup, write, redis } = create();
    redis.position = at(9_999);
    await write();
    expect(backup.everyMs).toBe(BACKUP_PAGE_EVERY_MS);
    for (let n = 0; n < 4_001; n += 1) redis.inFlight.add(member(n));
    await write();
    expect(backup.everyMs).toBe(3 * BACKUP_PAGE_EVERY_MS);
  });
});
