import { addMilliseconds, fromMilliseconds } from '#domain/calendar';
import { readBucket } from '#domain/ids';
import { subscriptionAggregate } from '#domain/subscription';
import { forEachConcurrently, newId } from '#platform';
import type { WrittenLedger, WrittenPlayer } from '../support/written-ledger.js';

const WRITTEN_AT_ONCE = 64;
const PERIOD = { value: 30, unit: 'day' } as const;
const PERIOD_MS = 30 * 86_400_000;
/** The longest time to write a subscription, and the room beside that. */
const WRITTEN_WITHIN_MS = 1.5;
const MARGIN_MS = 3_000;

/**
 * Writes subscriptions that all fall due at one instant, shortly: each of a player of its own, who has a key.
 * The first period cost nothing, so that it needs no payment.
 *
 * @returns when they are due, in milliseconds. @throws Error where writing them took longer than that.
 */
export async function writeDueSubscriptions(
  ledger: WrittenLedger,
  { appId, count }: { readonly appId: string; readonly count: number },
): Promise<number> {
  const buyers: WrittenPlayer[] = [];
  const numbers = Array.from({ length: count }, (_, n) => n);
  await forEachConcurrently(numbers, WRITTEN_AT_ONCE, async (n) => {
    buyers.push(await ledger.registerPlayer(appId, `player-${n}`));
  });
  const dueAtMs = Date.now() + MARGIN_MS + count * WRITTEN_WITHIN_MS;
  const now = addMilliseconds(fromMilliseconds(dueAtMs), -PERIOD_MS);
  await forEachConcurrently(buyers, WRITTEN_AT_ONCE, async ({ player, personal }) => {
    const subscriptionId = newId('sub', now, readBucket(player));
    const terms = {
      ...{ subscriptionId, appId, player, planId: 'plan_bench', period: PERIOD, trial: null },
      price: { amountMinor: '999', currency: 'USD' },
      ...{ paymentMethod: 'pm_ok', checkoutLinkId: 'cl_bench', regionCode: 'US', personal },
    };
    const command = { kind: 'CreateSubscription', terms, initialPayment: null, now } as const;
    const by = { ...ledger.context(appId), player, now };
    const options = { isNew: true };
    await ledger.commands.execute(subscriptionAggregate, subscriptionId, command, by, options);
  });
  if (Date.now() > dueAtMs) throw new Error('the subscriptions were due before they were written');
  return dueAtMs;
}
