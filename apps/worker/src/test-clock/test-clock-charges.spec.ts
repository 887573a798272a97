import { describe, expect, it } from 'vitest';
import type { PendingCharge } from '#projections';
import { ProgressNotifier } from '../feed/progress-notifier.js';
import { at, silent } from '../spec-support/fakes.js';
import type { PendingCharges } from '../billing-clock/pending-charges.js';
import type { Settlements } from './settlements.js';
import { TestClockCharges } from './test-clock-charges.js';

const pending: PendingCharge[] = [1, 2, 3, 4].map((n) => ({
  ...{ paymentId: `pay_${n}`, subjectId: `sub_${n}` },
}));

function create(parked: readonly string[] = []) {
  const waitedFor: string[] = [];
  const notifier = new ProgressNotifier();
  notifier.processed([], at(5));
  const charges = new TestClockCharges(
    {
      isLeftPending: (paymentId: string) => paymentId === 'pay_1',
      lastChangeAt: () => at(3),
    } as unknown as PendingCharges,
    {
      waitFor: async ({ paymentId }: PendingCharge) => {
        waitedFor.push(paymentId);
        return paymentId === 'pay_2' ? at(6) : null;
      },
      isLeftPending: async ({ paymentId }: PendingCharge) => paymentId === 'pay_1',
    } as unknown as Settlements,
    notifier,
    { entries: parked.map((streamName) => ({ streamName })) as never },
    silent,
  );
  return { charges, waitedFor };
}

describe('a test clock', () => {
  it('waits for every charge, but for those that the gateway is known to take its time over', async () => {
    const { charges, waitedFor } = create();
    expect(await charges.waitForAll(pending)).toBe(at(6));
    expect(waitedFor).toEqual(['pay_2', 'pay_3', 'pay_4']);
  });

  it('is not held by what is parked: its subscription takes no outcome', async () => {
    const { charges, waitedFor } = create(['subscription-sub_2', 'payment-pay_3']);
    expect(await charges.waitForAll(pending)).toBe(null);
    expect(waitedFor).toEqual(['pay_4']);
  });

  it('rests on the charges that the gateway takes its time over, as long as it does', async () => {
    const { charges } = create();
    const restsOn = charges.listLeftPending(pending);
    expect(restsOn).toEqual(pending.slice(0, 1));
    expect(await charges.areLeftPending(restsOn)).toBe(true);
    expect(await charges.areLeftPending(pending)).toBe(false);
    expect(create(['subscription-sub_1']).charges.listLeftPending(pending)).toEqual([]);
  });

  it('knows the last change of an app when the feed is as far as what was read', async () => {
    const { charges } = create();
    expect(await charges.lastChangeAt('app_1', at(5))).toBe(at(3));
    expect([at(2), at(3)].map((since) => charges.hasChangedSince('app_1', since))).toEqual([
      ...[true, false],
    ]);
  });
});
