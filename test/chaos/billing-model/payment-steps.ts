import { strictEqual } from 'node:assert/strict';
import { requireOk } from '../../support/scenario.js';
import { type ModelPayment, remaining } from './model-payment.js';
import type { ModelSubscription } from './model.js';
import { findPaymentId, onSubscription, type RealSubscription, type Step } from './step.js';

/** Which payment, of which subscription, both counted from an end. */
export interface Which {
  readonly which: number;
  readonly subscription?: number;
}

/** A step on one of the payments, if there is any. */
export function onPayment(
  name: string,
  { which, subscription = 0 }: Which,
  run: (
    payment: ModelPayment,
    id: string,
    model: ModelSubscription,
    real: RealSubscription,
  ) => Promise<void>,
): Step {
  return onSubscription(`${name} payment ${which}`, subscription, async (model, real) => {
    const at = which % Math.max(model.payments.length, 1);
    const payment = model.payments[at];
    if (payment === undefined) return;
    await run(payment, await findPaymentId(real, model.payments.length - 1 - at), model, real);
  });
}

/** So many percent of the whole; or all that is left, where no amount is given. */
type Part = number | 'the rest';

export const countPart = (payment: ModelPayment, part: Part) =>
  part === 'the rest' ? remaining(payment) : Math.max(1, Math.floor((payment.cents * part) / 100));

const describeAmount = (payment: ModelPayment, part: Part) =>
  part === 'the rest' ? {} : { amountCents: String(countPart(payment, part)) };

/** Whether there is so much left of a payment. */
const isLeft = (payment: ModelPayment, amount: number) =>
  amount > 0 && amount <= remaining(payment);

export const refund = (which: Which, part: Part): Step =>
  onPayment(`refund ${describePart(part)} of`, which, async (payment, id, model, { player }) => {
    const amount = countPart(payment, part);
    const path = `/sdk/server/payments/${id}/refunds`;
    const answer = await player.command(path, describeAmount(payment, part));
    if (payment.disputes.length > 0 || !isLeft(payment, amount)) {
      strictEqual(answer.status, 400, 'refund');
      return;
    }
    requireOk(answer);
    payment.refunded += amount;
    model.sent.push('payment.refunded');
  });

export const dispute = (which: Which, part: Part): Step =>
  onPayment(
    `dispute ${describePart(part)} of`,
    which,
    async (payment, paymentId, model, { player }) => {
      const amount = countPart(payment, part);
      const body = { paymentId, ...describeAmount(payment, part) };
      const answer = await player.operate('sandbox/disputes', body);
      if (!isLeft(payment, amount)) {
        strictEqual(answer.status, 400, 'dispute');
        return;
      }
      payment.disputes.push({ id: String(requireOk(answer).body['disputeId']), cents: amount });
      model.sent.push('dispute.opened');
    },
  );

const describePart = (part: Part) => (part === 'the rest' ? part : `${part} %`);

export const closeDispute = (which: Which, won: boolean): Step =>
  onPayment(`${won ? 'win' : 'lose'} a dispute of`, which, async (payment, _id, model, real) => {
    const [closed] = payment.disputes.splice(0, 1);
    if (closed === undefined) return;
    requireOk(await real.player.operate(`sandbox/disputes/${closed.id}/close`, { won }));
    if (!won) payment.lost += closed.cents;
    model.sent.push('dispute.closed');
  });
