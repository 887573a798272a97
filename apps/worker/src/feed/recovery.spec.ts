import { describe, expect, it } from '@jest/globals';
import { START } from '#event-store';
import type { Checkpoint } from '#projection-engine';
import { at, silent } from '../spec-support/fakes.js';
import type { DeliveryCheckpoint, DeliveryCheckpoints } from './delivery-checkpoint.js';
import type { FeedCheckpoint } from './feed-checkpoint.js';
import type { InFlightWork } from './in-flight-work.js';
import type { ParkedRetry } from './parked-retry.js';
import { Recovery } from './recovery.js';

interface Known {
  readonly checkpoint?: string;
  readonly backup?: DeliveryCheckpoint;
  readonly redo?: () => Promise<void>;
}

function create({ checkpoint, backup, redo }: Known) {
  const log: string[] = [];
  const kept: Checkpoint | undefined =
    checkpoint === undefined
      ? undefined
      : { position: checkpoint, layoutId: 's', epoch: 'e', phase: 'live' };
  const parts = {
    checkpoint: {
      load: async () => kept,
      beginAt: async (position: string) => {
        log.push(`begin ${Number(position)}`);
        return position;
      },
    },
    backups: { readLast: async () => backup },
    inFlight: {
      announce: async () => void log.push('announce'),
      redo: redo ?? (async (members: readonly string[]) => void log.push(`redo ${members.join()}`)),
    },
    parked: {
      load: async () => void log.push('parked'),
      retryOnce: async (upTo: string) => void log.push(`retry up to ${Number(upTo)}`),
    },
  };
  const recovery = new Recovery(
    parts.checkpoint as unknown as FeedCheckpoint,
    parts.backups as DeliveryCheckpoints,
    parts.inFlight as InFlightWork,
    parts.parked as ParkedRetry,
    silent,
  );
  return { recovery, log };
}

describe('where the feed goes on', () => {
  it('is the checkpoint, once what is in flight is announced and what is parked was tried', async () => {
    const { recovery, log } = create({
      checkpoint: at(9),
      backup: { position: at(3), inFlight: [] },
    });
    expect(await recovery.resume()).toBe(at(9));
    expect(log).toEqual(['parked', 'announce', 'retry up to 9']);
  });

  it('is the backup where Redis knows nothing, when what was in flight is begun again', async () => {
    const { recovery, log } = create({ backup: { position: at(3), inFlight: ['x', 'y'] } });
    expect(await recovery.resume()).toBe(at(3));
    expect(log).toEqual(['parked', 'redo x,y', 'begin 3']);
  });

  it('is nowhere yet when that fails: no checkpoint hides what was not begun again', async () => {
    const { recovery, log } = create({
      backup: { position: at(3), inFlight: ['x'] },
      redo: () => Promise.reject(new Error('Redis is away again')),
    });
    await expect(recovery.resume()).rejects.toThrow('Redis is away again');
    expect(log).toEqual(['parked']);
  });

  it('is the beginning of a fresh store', async () => {
    const { recovery, log } = create({});
    expect(await recovery.resume()).toBe(START);
    expect(log).toEqual(['parked', 'begin 0']);
  });
});
