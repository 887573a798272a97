import { describe, expect, it } from 'vitest';
import type { Backup, ExhaustedDelivery } from '#worker-state';
import { EXHAUSTED_BESIDE_LIST } from '../limits.js';
import { at } from '../spec-support/fakes.js';
import type { BackupLog } from './backup-log.js';
import { ExhaustedList } from './checkpoint-backup.js';

/** The part of one that is looked at. */
const givenUp = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ member: at(n) }) as ExhaustedDelivery);

function create(exhausted: Backup['exhausted'] = givenUp(0)) {
  const store = { exhausted, revision: -1 };
  const backups: Partial<BackupLog> = {
    readExhausted: async () => ({
      // The part of a backup that is looked at.
      backup: { exhausted: store.exhausted } as Backup,
      revision: store.revision,
    }),
    appendExhausted: async (revision, named) => {
      if (revision !== store.revision) throw new Error('a conflict');
      store.exhausted = named;
      return (store.revision += 1);
    },
  };
  return { list: new ExhaustedList(backups as BackupLog), store };
}

describe('the list of what was given up', () => {
  it('leaves a few to the backup, and is written anew where there are more', async () => {
    const { list, store } = create();
    const few = givenUp(EXHAUSTED_BESIDE_LIST);
    expect(await list.nameOthers(few)).toEqual(few);
    expect(store.revision).toBe(-1);
    const many = givenUp(EXHAUSTED_BESIDE_LIST + 1);
    expect(await list.nameOthers(many)).toEqual([]);
    expect(store).toEqual({ exhausted: many, revision: 0 });
    const more = givenUp(EXHAUSTED_BESIDE_LIST + 2);
    expect(await list.nameOthers(more)).toEqual(more.slice(-1));
  });

  it('is read again after a failure, and by the next holder of the partition', async () => {
    const { list, store } = create();
    await list.nameOthers(givenUp(1));
    store.revision = 7;
    const many = givenUp(EXHAUSTED_BESIDE_LIST + 1);
    await expect(list.nameOthers(many)).rejects.toThrow('a conflict');
    expect(await list.nameOthers(many)).toEqual([]);
    expect(await create(many).list.nameOthers(many)).toEqual([]);
  });
});
