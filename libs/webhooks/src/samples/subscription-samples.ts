import type { WebhookType } from '../webhook-types.js';
import { SAMPLE_PLAYER } from './purchase-samples.js';
import { SEAL_SAMPLE } from './seal-sample.js';

type Data = Readonly<Record<string, unknown>>;

/** The studio's own, of the checkout link. */
const REFERENCE = 'reference-sample';
const BEGAN = '2027-01-31T10:00:00.000Z';
const FIRST_END = '2027-02-28T10:00:00.000Z';
const SECOND_END = '2027-03-31T10:00:00.000Z';

/** As it is bought: the first of its periods has begun. */
const BOUGHT = {
  id: 'sub_sample',
  external_account_id: SAMPLE_PLAYER,
  reference_id: REFERENCE,
  plan_id: 'plan_sample',
  status: 'active',
  period: { value: 1, unit: 'month' },
  trial_end: null,
  ...endsAt(FIRST_END),
  cancel_at_period_end: false,
  canceled_at: null,
  created_at: BEGAN,
  region_code: 'US',
};
const RENEWED = { ...BOUGHT, ...endsAt(SECOND_END) };
const CANCELED = {
  ...RENEWED,
  status: 'canceled',
  cancel_at_period_end: true,
  canceled_at: '2027-03-10T12:30:00.000Z',
};

const PAYMENT = {
  id: 'pay_sample',
  external_account_id: SAMPLE_PLAYER,
  currency: 'USD',
  subscription_id: BOUGHT.id,
};
const CHARGED = { tax: '0.77', total: '9.99' };
/** The data that the studio gave with the checkout link. */
const GIVEN = { reference_id: REFERENCE, metadata: { campaign: 'launch' } };
const DISPUTED = { ...PAYMENT, total_disputed: '9.99' };

/** The data of v2 messages, with the fields in the order of real ones. */
export const V2_SAMPLES: Readonly<Record<WebhookType<'v2'>, Data>> = {
  'subscription.created': BOUGHT,
  'subscription.updated': { ...BOUGHT, plan_id: 'plan_sample_dearer' },
  'subscription.currency_change_scheduled': {
    ...BOUGHT,
    ...{ effective_at: FIRST_END, currency: 'EUR', total: '8.99', tax: '1.44' },
  },
  'subscription.canceled': CANCELED,
  'subscription.reactivated': RENEWED,
  'subscription.expired': { ...CANCELED, status: 'expired', reason: 'period_ended' },
  'subscription.payment_failed': {
    ...BOUGHT,
    status: 'past_due',
    access_end_date: '2027-03-02T10:00:00.000Z',
    next_billing_date: '2027-03-01T10:00:00.000Z',
  },
  'subscription.payment_succeeded': RENEWED,
  'payment.succeeded': { ...PAYMENT, succeeded_at: BEGAN, ...CHARGED, ...GIVEN },
  'payment.failed': {
    ...PAYMENT,
    ...{ failed_at: FIRST_END, reason: 'insufficient_funds' },
    ...CHARGED,
    ...GIVEN,
  },
  'payment.refunded': {
    ...PAYMENT,
    ...{ refunded_at: '2027-02-03T09:00:00.000Z', total_refunded: '4.00' },
    ...GIVEN,
  },
  'dispute.opened': { ...DISPUTED, ...GIVEN },
  'dispute.closed': { ...DISPUTED, won: true, ...GIVEN },
  'ledger.sealed': SEAL_SAMPLE,
};

function endsAt(end: string) {
  return { access_end_date: end, current_period_end: end, next_billing_date: end };
}
