import { describe, expect, it } from '@jest/globals';
import { at, silent } from '../spec-support/fakes.js';
import type { BatchHandler } from './batch-handler.js';
import { CheckpointBackup } from './checkpoint-backup.js';
import type { DeliveryCheckpoint, DeliveryCheckpoints } from './delivery-checkpoint.js';
import type { FeedProgress } from './feed-progress.js';

function create(present: () => DeliveryCheckpoint | undefined) {
  const log: string[] = [];
  const backups: Partial<DeliveryCheckpoints> = {
    limit: async () => void log.push('limit'),
    write: async ({ position, inFlight }) => {
      log.push(`write ${Number(position)} ${inFlight.length}`);
    },
  };
  const progress: Partial<FeedProgress> = { read: async () => present() };
  const backup = new CheckpointBackup(
    progress as FeedProgress,
    backups as DeliveryCheckpoints,
    { lastEventAt: at(1) } as BatchHandler,
    silent,
  );
  return { backup, log };
}

describe('the last backup of a worker that stops', () => {
  it('is written after the limit of the stream, and again only when there is something new', async () => {
    let present: DeliveryCheckpoint = { position: at(4), inFlight: ['x'] };
    const { backup, log } = create(() => present);
    await backup.writeLast();
    await backup.writeLast();
    present = { position: at(4), inFlight: [] };
    await backup.writeLast();
    present = { position: at(5), inFlight: [] };
    await backup.writeLast();
    expect(log).toEqual(['limit', 'write 4 1', 'write 4 0', 'write 5 0']);
  });

  it('is not written when Redis knows nothing, and never throws', async () => {
    const { backup, log } = create(() => undefined);
    await backup.writeLast();
    expect(log).toEqual([]);
    const failing = create(() => {
      throw new Error('Redis is away');
    });
    await failing.backup.writeLast();
  });
});
