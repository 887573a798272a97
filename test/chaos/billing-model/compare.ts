import { deepStrictEqual } from 'node:assert/strict';
import { eventually } from '../../support/eventually.js';
import { compareLines } from './compare-lines.js';
import { toInstant } from './model-dates.js';
import { accessEnd, nextBilling } from './model-due.js';
import type { ModelSubscription } from './model.js';
import { type ModelPayment, statusName } from './model-payment.js';
import type { Player } from './player.js';

/**
 * Holds the product against the model: the subscription, its payments, its webhooks.
 *
 * @throws AssertionError with the difference.
 */
export async function compare(
  subscriptionId: string,
  model: ModelSubscription,
  player: Player,
): Promise<void> {
  const path = `/sdk/subscriptions/${subscriptionId}`;
  const shown = await player.read(path);
  const expectedShown = {
    ...showSubscription(model),
    plan_id: player.planIds.get(model.plan.code),
  };
  deepStrictEqual(pick(shown, Object.keys(expectedShown)), expectedShown, 'subscription');

  const payments = await player.listPayments(subscriptionId);
  const expected = model.payments.map(showPayment).reverse();
  const paymentKeys = Object.keys(expected[0] ?? {});
  deepStrictEqual(
    payments.map((each) => pick(each, paymentKeys)),
    expected,
    'payments',
  );
  const ids = payments.map(({ paymentId }) => String(paymentId)).reverse();
  for (const [at, payment] of model.payments.entries()) {
    await compareLines(payment, ids[at] ?? '', player);
  }
  await compareWebhooks(subscriptionId, model, player);
}

/** Webhooks come a moment later; then there are no more and no fewer. */
async function compareWebhooks(
  subscriptionId: string,
  { sent }: ModelSubscription,
  player: Player,
): Promise<void> {
  const isThere = () => player.messages(subscriptionId).length >= sent.length;
  await eventually(isThere, { what: 'the webhooks', limitMs: 60_000 }).catch(() => undefined);
  const expected = sent.map((type, n) => ({ type, sequence: n + 1 }));
  deepStrictEqual(player.messages(subscriptionId), expected, 'webhooks');
}

function showSubscription(model: ModelSubscription): Record<string, unknown> {
  const { status, periodEnd } = model;
  const ended = accessEnd(model);
  return {
    status,
    current_period_end: toInstant(periodEnd),
    cancel_at_period_end: model.isCanceled,
    ...(ended !== null && { access_end_date: toInstant(ended) }),
    ...(status !== 'expired' && { next_billing_date: toInstant(nextBilling(model)) }),
  };
}

function showPayment(payment: ModelPayment) {
  return {
    paymentContext: `PAYMENT_CONTEXT_${payment.context}`,
    amountCents: String(payment.cents),
    totalTaxAmountCents: String(payment.tax ?? 0),
    succeeded: payment.captured,
    status: `SUBSCRIPTION_PAYMENT_STATUS_${statusName(payment)}`,
  };
}

const pick = (whole: Record<string, unknown>, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, whole[key]]));
