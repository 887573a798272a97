import { ok } from 'node:assert/strict';
import type { Answer } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { type ModelPayment, remaining, statusName } from './model-payment.js';
import type { ModelSubscription } from './model.js';
import { onPayment, countPart, type Which } from './payment-steps.js';
import { hasStatus, type RealSubscription, type Step } from './step.js';

const isDone = (answer: Answer | undefined) => answer !== undefined && answer.status < 300;

/** Two refunds at once: together they are never above the rest, and a refused one would be. */
export const refundTwice = (which: Which, parts: readonly [number, number]): Step =>
  onPayment(`refund ${parts.join(' % and ')} % at once of`, which, async (...about) => {
    const [payment, id, model, { player }] = about;
    const path = `/sdk/server/payments/${id}/refunds`;
    const amounts = parts.map((part) => countPart(payment, part));
    const left = payment.disputes.length > 0 ? 0 : remaining(payment);
    const answers = await Promise.all(
      amounts.map((amount) => player.command(path, { amountCents: String(amount) })),
    );
    const isTaken = (_: number, at: number) => isDone(answers[at]);
    const taken = amounts.filter(isTaken);
    const sum = taken.reduce((total, amount) => total + amount, 0);
    ok(sum <= left, `${sum} refunded of ${left}`);
    const refused = amounts.filter((amount, at) => !isTaken(amount, at));
    ok(
      refused.every((amount) => amount > left - sum),
      `${refused.join()} refused of ${left - sum}`,
    );
    payment.refunded += sum;
    model.sent.push(...taken.map(() => 'payment.refunded'));
  });

/** A refund while a dispute is opened: the first of both takes its part, and the other one the rest, if any. */
export const refundDuringDispute = (which: Which, parts: readonly [number, number]): Step =>
  onPayment(`refund ${parts.join(' % while disputing ')} % of`, which, async (...about) => {
    const [payment, paymentId, model, real] = about;
    const [refunded = 0, disputed = 0] = parts.map((part) => countPart(payment, part));
    const isRefundable = payment.disputes.length === 0;
    const left = remaining(payment);
    const path = `/sdk/server/payments/${paymentId}/refunds`;
    const [refund, dispute] = await Promise.all([
      real.player.command(path, { amountCents: String(refunded) }),
      real.player.operate('sandbox/disputes', { paymentId, amountCents: String(disputed) }),
    ]);
    const happened: string[] = [];
    if (isDone(dispute)) {
      payment.disputes.push({ id: String(dispute.body['disputeId']), cents: disputed });
      happened.push('dispute.opened');
    } else {
      ok(disputed > left - (isDone(refund) ? refunded : 0), 'a dispute is refused');
    }
    if (isDone(refund)) {
      ok(isRefundable, 'a disputed payment is refunded');
      payment.refunded += refunded;
      happened.push('payment.refunded');
    } else {
      ok(!isRefundable || isDone(dispute) || refunded > left, 'a refund is refused');
    }
    ok(remaining(payment) >= 0, 'more than was paid is given back');
    model.sent.push(...(await findOrder(happened, model, real)));
    await untilStatus(payment, paymentId, real);
  });

/** The product chooses the order of simultaneous events. */
async function findOrder(
  happened: readonly string[],
  { sent }: ModelSubscription,
  { player, subscriptionId }: RealSubscription,
): Promise<readonly string[]> {
  const isThere = () => player.messages(subscriptionId).length >= sent.length + happened.length;
  await eventually(isThere, { what: 'the webhooks', limitMs: 60_000 }).catch(() => undefined);
  const shown = player.messages(subscriptionId).map(({ type }) => type);
  const reversed = [...happened].reverse();
  return String(shown.slice(sent.length)) === String(reversed) ? reversed : happened;
}

/** A read with the token of one of two calls may not show the other one yet. */
async function untilStatus(
  payment: ModelPayment,
  paymentId: string,
  real: RealSubscription,
): Promise<void> {
  const isThere = () => hasStatus(paymentId, statusName(payment), real);
  await eventually(isThere, { what: `${paymentId} is ${statusName(payment)}` });
}
