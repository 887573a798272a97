import { addMilliseconds, fromMilliseconds } from '#domain/calendar';
import { readBucket } from '#domain/ids';
import type { PersonalTexts } from '#domain/personal-data';
import { subscriptionAggregate } from '#domain/subscription';
import { createCommandExecutor, type LedgerStore } from '#event-store';
import { createSeal, forEachConcurrently, newId, newUuid, wallClock } from '#platform';
import { loadingPersonalData } from '../support/personal-data.js';

const WRITTEN_AT_ONCE = 64;
const PERIOD = { value: 30, unit: 'day' } as const;
const PERIOD_MS = 30 * 86_400_000;
/** The longest time to write a subscription, and the room beside that. */
const WRITTEN_WITHIN_MS = 1.5;
const MARGIN_MS = 3_000;

interface Buyer {
  readonly player: string;
  readonly personal: PersonalTexts;
}

/**
 * Writes subscriptions that all fall due at one instant, shortly: each of a player of its own, who has a key.
 * The first period cost nothing, so that it needs no payment.
 *
 * @returns when they are due, in milliseconds. @throws Error where writing them took longer than that.
 */
export async function writeDueSubscriptions(
  store: LedgerStore,
  masterKey: Buffer,
  { appId, count }: { readonly appId: string; readonly count: number },
): Promise<number> {
  const commands = createCommandExecutor(store, { cacheSize: 0 });
  const personalData = loadingPersonalData(commands, createSeal(masterKey));
  const context = {
    ...{ appId, actor: 'bench', correlationId: newUuid(), now: wallClock.now() },
    environment: 'test' as const,
  };
  const buyers: Buyer[] = [];
  const numbers = Array.from({ length: count }, (_, n) => n);
  await forEachConcurrently(numbers, WRITTEN_AT_ONCE, async (n) => {
    const player = newUuid().replaceAll('-', '');
    const personal = await personalData.seal({ ...context, player }, `player-${n}`, {});
    buyers.push({ player, personal });
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
    const by = { ...context, player, now };
    const options = { isNew: true };
    await commands.execute(subscriptionAggregate, subscriptionId, command, by, options);
  });
  if (Date.now() > dueAtMs) throw new Error('the subscriptions were due before they were written');
  return dueAtMs;
}
