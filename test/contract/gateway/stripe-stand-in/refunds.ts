import { type Answer, invalid, ok, refuse } from './answers.js';
import { type Form, readGroup } from './form.js';
import type { Intent } from './intents.js';

export interface Refund {
  readonly id: string;
  readonly object: 'refund';
  readonly created: number;
  readonly currency: string;
  readonly amount: number;
  readonly payment_intent: string;
  readonly metadata: Record<string, string>;
  status: string;
}

/** `POST /v1/refunds` of a payment intent, never of more than is left. */
export function createRefund(
  intents: Map<string, Intent>,
  refunds: Map<string, Refund>,
  form: Form,
  created: number,
): Answer {
  const intent = intents.get(form['payment_intent'] ?? '');
  if (!intent) return invalid('resource_missing', 'No such payment_intent', 'payment_intent', 404);
  if (intent.status !== 'succeeded') {
    return invalid('', 'This PaymentIntent does not have a successful charge to refund.');
  }
  const left = intent.amount_received - sumRefunds(refunds, intent.id);
  if (left === 0) return invalid('charge_already_refunded', 'Charge has already been refunded.');
  const amount = Number(form['amount']);
  if (amount > left) {
    return invalid('', 'Refund amount is greater than unrefunded amount on charge', 'amount');
  }
  const refund: Refund = {
    id: `re_${refunds.size + 1}`,
    object: 'refund',
    created,
    currency: intent.currency,
    amount,
    payment_intent: intent.id,
    metadata: readGroup(form, 'metadata'),
    status: intent.payment_method === 'pm_refund_pending' ? 'pending' : 'succeeded',
  };
  refunds.set(refund.id, refund);
  if (intent.latest_charge) intent.latest_charge.amount_refunded += amount;
  const isFailing = intent.payment_method === 'pm_refund_failing';
  return isFailing ? refuse(500, { type: 'api_error', message: 'Sorry.' }) : ok(refund);
}

function sumRefunds(refunds: Map<string, Refund>, intentId: string): number {
  const own = [...refunds.values()].filter(({ payment_intent }) => payment_intent === intentId);
  return own.reduce((sum, { amount }) => sum + amount, 0);
}
