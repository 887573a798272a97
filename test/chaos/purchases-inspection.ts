import { checkoutLinkAggregate, lastAttempt } from '#domain/checkout-link';
import { createCommandExecutor, type LedgerStore, type NamespaceIdentity } from '#event-store';
import { createReadModels } from '#projection-engine';
import { documentProjections, payments, subscriptions } from '#projections';
import type { Purchases } from '../bench/purchases.js';
import { eventually } from '../support/eventually.js';
import type { RunningRedis } from '../support/redis.js';
import type { ReceivedWebhook, WebhookReceiver } from '../support/webhook-receiver.js';
import type { Findings } from './full-disk/findings.js';

const LIMIT_MS = 120_000;
/** The webhooks of a purchase. */
const TYPES = ['payment.succeeded', 'subscription.created'];

/** The ledger in which purchases were made. */
interface InspectedLedger {
  readonly store: LedgerStore;
  readonly identity: NamespaceIdentity;
  readonly server: Pick<RunningRedis, 'url'>;
  readonly receiver: Pick<WebhookReceiver, 'received'>;
  readonly purchases: Pick<Purchases, 'linkIds'>;
}

/**
 * Each purchase has one subscription and one payment, was charged once, is shown as the store has it, and its
 * webhooks were delivered. @returns how many there are.
 */
export async function inspectPurchases(
  ledger: InspectedLedger,
  findings: Findings,
): Promise<number> {
  const { store, receiver } = ledger;
  const readModels = createReadModels({
    redis: ledger.server.url,
    identity: ledger.identity,
    projections: documentProjections,
  });
  const bought = await findBought(ledger, findings);
  const ids = bought.map(({ subscriptionId }) => subscriptionId);
  const areDelivered = () => countMissingWebhooks(ids, receiver.received) === 0;
  await eventually(areDelivered, { what: 'the webhooks', limitMs: LIMIT_MS }).catch(() =>
    findings.add(
      'webhooks were not delivered',
      String(countMissingWebhooks(ids, receiver.received)),
    ),
  );
  await readModels.waitFor(await store.headPosition(), { timeoutMs: LIMIT_MS });
  const webhooks = groupWebhooks(receiver.received);
  for (const { subscriptionId, paymentId } of bought) {
    for (const [type, messages] of webhooks.get(subscriptionId) ?? []) {
      if (messages.size > 1) findings.add(`${type} was sent under several ids`, subscriptionId);
    }
    const charges = await countEvents(ledger, `sandbox_account-${subscriptionId}`);
    if (charges.get('sandbox.charged.v1') !== 1) {
      findings.add('a purchase was not charged once', subscriptionId);
    }
    for (const stream of [`payment-${paymentId}`, `subscription-${subscriptionId}`]) {
      for (const [type, count] of await countEvents(ledger, stream)) {
        if (count > 1) findings.add(`${type} is there ${count} times`, stream);
      }
    }
    const shown = await readModels.ask(subscriptions).byId(subscriptionId);
    if (shown?.revision !== (await store.headRevision(`subscription-${subscriptionId}`))) {
      findings.add('a subscription is not shown as it is', subscriptionId);
    }
    const { documents } = await readModels.ask(payments).list(subscriptionId, { limit: 2 });
    if (documents.length !== 1) findings.add('a payment is not shown once', subscriptionId);
  }
  await readModels.close();
  return bought.length;
}

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

/** The attempts that acknowledged purchases were completed with; those that were not are findings. */
async function findBought(
  { store, purchases }: Pick<InspectedLedger, 'store' | 'purchases'>,
  findings: Findings,
) {
  const commands = createCommandExecutor(store, { cacheSize: 0 });
  const found = [];
  for (const linkId of purchases.linkIds) {
    const { state } = await commands.load(checkoutLinkAggregate, linkId);
    const attempt = state.status === 'completed' ? lastAttempt(state) : undefined;
    if (attempt === undefined) findings.add('a checkout was not completed', linkId);
    else found.push(attempt);
  }
  return found;
}

/** The events of a stream, by type. */
async function countEvents(
  { store }: InspectedLedger,
  stream: string,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { type } of store.readStream(stream)) {
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return counts;
}
