import { describe, expect, it } from '@jest/globals';
import { paymentAggregate } from '#domain/payment';
import type { CommandExecutor } from '#event-store';
import { ProgressNotifier } from '../feed/progress-notifier.js';
import { PendingRenewals } from './pending-renewals.js';
import { Settlements } from './settlements.js';

/** Longer than a test may take. */
const LIMIT_MS = 600_000;

describe('the settlement of a charge', () => {
  it('is not waited for once the charge is known to stay pending', async () => {
    const subscription = { status: 'active', pendingCharge: { paymentId: 'pay_1' } };
    const payment = { status: 'PENDING', pendingSince: '2026-01-01T00:00:00.000Z' };
    const load = async (aggregate: unknown) => ({
      state: aggregate === paymentAggregate ? payment : subscription,
    });
    // The two streams, as far as they are looked at.
    const commands = { load } as unknown as CommandExecutor;
    const settlements = new Settlements(commands, new PendingRenewals(new ProgressNotifier()));
    const renewal = { subscriptionId: 'sub_1', paymentId: 'pay_1' };
    expect(await settlements.waitFor(renewal, LIMIT_MS)).toBe(null);
  });
});
