import { checkoutLinkAggregate, lastAttempt } from '#domain/checkout-link';
import { createCommandExecutor } from '#event-store';
import { payments, subscriptions } from '#projections';
import type { Findings } from '../full-disk/findings.js';
import type { ReceivedWebhook } from '../../support/webhook-receiver.js';
import type { LedgerOnRedis } from './ledger-on-redis.js';

/** The webhooks of a purchase. */
const TYPES = ['payment.succeeded', 'subscription.created'];
const WAIT = { timeoutMs: 60_000 };

/** The webhooks of each subscription that were delivered: their ids, by type. */
export function groupWebhooks(
  received: readonly ReceivedWebhook[],
): ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>> {
  const grouped = new Map<string, Map<string, Set<string>>>();
  for (const { type, data, headers } of received) {
    const subscriptionId = String(data['subscription_id'] ?? data['id']);
    const types = grouped.get(subscriptionId) ?? new Map<string, Set<string>>();
    grouped.set(subscriptionId, types);
    types.set(type, (types.get(type) ?? new Set()).add(String(headers['webhook-id'])));
  }
  return grouped;
}

/** Whether each of these subscriptions has had its webhooks. */
export function countMissingWebhooks(
  subscriptionIds: readonly string[],
  received: readonly ReceivedWebhook[],
): number {
  const grouped = groupWebhooks(received);
  const missing = subscriptionIds.flatMap((id) =>
    TYPES.filter((type) => grouped.get(id)?.has(type) !== true),
  );
  return missing.length;
}

/** Which subscription each acknowledged attempt led to; those that led to none are findings. */
export async function findSubscriptions(
  { store, purchases }: LedgerOnRedis,
  findings: Findings,
): Promise<string[]> {
  const commands = createCommandExecutor(store, { cacheSize: 0 });
  const found: string[] = [];
  for (const linkId of purchases.linkIds) {
    const { state } = await commands.load(checkoutLinkAggregate, linkId);
    const attempt = state.status === 'none' ? undefined : lastAttempt(state);
    if (attempt === undefined) findings.add('an acknowledged command is not in the store', linkId);
    else if (state.status !== 'completed') findings.add('a checkout was not completed', linkId);
    else found.push(attempt.subscriptionId);
  }
  return found;
}

/** Each of them was charged once, has its webhooks, and is shown as the store has it. */
export async function inspect(
  subscriptionIds: readonly string[],
  { store, readModels, receiver }: LedgerOnRedis,
  findings: Findings,
): Promise<void> {
  await readModels.waitFor(await store.headPosition(), WAIT);
  const webhooks = groupWebhooks(receiver.received);
  for (const id of subscriptionIds) {
    for (const type of TYPES) {
      const ids = [...(webhooks.get(id)?.get(type) ?? [])];
      if (ids.length === 0) findings.add(`no ${type} was delivered`, id);
      if (ids.length > 1) findings.add(`${type} was sent under several ids`, ids.join(' '));
    }
    const charges = (await store.headRevision(`sandbox_account-${id}`)) + 1;
    if (charges !== 1) findings.add('a purchase was not charged once', `${id}: ${charges}`);
    const revision = await store.headRevision(`subscription-${id}`);
    const shown = await readModels.ask(subscriptions).byId(id);
    if (shown?.revision !== revision) {
      findings.add('a subscription is not shown as it is', `${id}: ${shown?.revision}`);
    }
    const { documents } = await readModels.ask(payments).list(id, { limit: 2 });
    if (documents.length !== 1)
      findings.add('a payment is not shown', `${id}: ${documents.length}`);
  }
}
