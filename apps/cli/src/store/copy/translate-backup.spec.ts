import { describe, expect, it } from 'vitest';
import type { Backup, ParkedEntry } from '#worker-state';
import { translateBackup } from './translate-backup.js';

const at = (n: number) => String(n).padStart(20, '0');
const member = (position: number, revision: number) =>
  `${at(position)} whe_1 subscription-sub_1 ${revision} 0 msg_1`;
const parked: ParkedEntry = {
  ...{ streamName: 'payment-pay_1', revision: 2, position: at(1_020), type: 'payment.x.v1' },
  ...{ reason: 'unknown_type', release: 'a', begunUpTo: at(1_010) },
};

describe('a checkpoint backup in another store', () => {
  it('names positions of that store, and nothing behind where work goes on', async () => {
    const backup: Backup = {
      position: at(1_050),
      inFlight: [
        { member: member(1_001, 3) },
        { member: member(1_045, 4), askAgainAt: '2026-01-01T00:00:00.000Z' },
        { member: member(1_002, 9) },
      ],
      parked: [parked],
      ...{ exhausted: [], cursors: [] },
    };
    const translated = await translateBackup(backup, {
      findPosition: async (position) => at(Number(position) - 1_010),
      // The last of them is gone.
      findEvent: async (_, revision) =>
        revision === 9 ? undefined : { position: at(revision * 11), revision: revision - 1 },
    });
    expect(translated).toEqual({
      position: at(40),
      inFlight: [{ member: member(33, 2) }],
      parked: [{ ...parked, position: at(22), revision: 1, begunUpTo: at(0) }],
      ...{ exhausted: [], cursors: [] },
    });
  });

  it('names what is in flight in the order of that store, however look-ups are answered', async () => {
    const backup: Backup = {
      position: at(1_050),
      inFlight: [{ member: member(1_001, 1) }, { member: member(1_002, 2) }],
      ...{ parked: [], exhausted: [], cursors: [] },
    };
    const translated = await translateBackup(backup, {
      findPosition: async () => at(40),
      findEvent: async (_, revision) => {
        if (revision === 1) await new Promise((resolve) => setImmediate(resolve));
        return { position: at(revision), revision };
      },
    });
    expect(translated.inFlight).toEqual([{ member: member(1, 1) }, { member: member(2, 2) }]);
  });

  it('names a message that is sent again at the place where it was asked for', async () => {
    const resent = (position: number, revision: number, askedAt: number) =>
      `${at(position)} whe_1 subscription-sub_1 ${revision} 7 msg_1 ${askedAt}`;
    const backup: Backup = {
      position: at(1_050),
      inFlight: [{ member: resent(1_030, 3, 20) }],
      ...{ parked: [], exhausted: [], cursors: [] },
    };
    const translated = await translateBackup(backup, {
      findPosition: async () => at(40),
      findEvent: async (streamName, revision) => {
        const position = streamName === 'webhook_endpoint-whe_1' ? 35 : 2;
        return { position: at(position), revision: revision - 1 };
      },
    });
    expect(translated.inFlight).toEqual([{ member: resent(35, 2, 19) }]);
  });
});
