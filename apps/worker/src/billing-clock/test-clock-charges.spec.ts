import { describe, expect, it } from '@jest/globals';
import type { InFlightWork } from '../feed/in-flight-work.js';
import { ProgressNotifier } from '../feed/progress-notifier.js';
import { at, silent } from '../spec-support/fakes.js';
import type { PendingRenewals } from './pending-renewals.js';
import type { Settlements } from './settlements.js';
import { TestClockCharges } from './test-clock-charges.js';

const renewal = { paymentId: 'pay_1', subscriptionId: 'sub_1' };

function create() {
  const known: (typeof renewal)[] = [];
  const waitedFor: string[] = [];
  const notifier = new ProgressNotifier();
  notifier.processed([], at(5));
  const charges = new TestClockCharges(
    { list: () => known } as unknown as PendingRenewals,
    {
      waitFor: async ({ paymentId }: typeof renewal) => {
        waitedFor.push(paymentId);
        return at(6);
      },
    } as unknown as Settlements,
    notifier,
    { announceOnce: async () => void known.push(renewal) } as unknown as InFlightWork,
    silent,
  );
  return { charges, waitedFor };
}

describe('a test clock', () => {
  it('waits for charges that were in flight before this process began', async () => {
    const { charges, waitedFor } = create();
    const awaited = new Set<string>();
    const { hasWaited, settledAt } = await charges.waitForPending('app_1', at(5), awaited);
    expect([hasWaited, settledAt, waitedFor]).toEqual([true, at(6), ['pay_1']]);
  });
});
