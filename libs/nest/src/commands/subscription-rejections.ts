import type { RejectionCode } from './rejection-code.js';
import {
  AMOUNT_CHANGED,
  INVALID_FIELDS,
  missing,
  refused,
  type RejectionRow,
} from './rejection-row.js';

type SubscriptionCode = Extract<RejectionCode, `player_plans/${string}` | `subscription/${string}`>;

/** The rows of subscriptions, and of plans that a player has once (rules/lifecycle). */
export const SUBSCRIPTION_ROWS: Readonly<Record<SubscriptionCode, RejectionRow>> = {
  'player_plans/plan_held': refused(
    'PLAN_ALREADY_HELD',
    'The player has this plan, or another one of its group, already, or is paying for it.',
  ),
  'player_plans/trial_taken': refused(
    'TRIAL_ALREADY_TAKEN',
    'The player has had the trial of this plan, or of another one of its group, already.',
  ),
  'subscription/access_ended': refused(
    'ACCESS_ENDED',
    'The access of this subscription has ended; it can no longer be reactivated.',
  ),
  'subscription/amount_changed': AMOUNT_CHANGED,
  'subscription/canceled': refused(
    'SUBSCRIPTION_CANCELED',
    'The subscription is canceled. Reactivate it before you change it.',
  ),
  'subscription/charge_pending': refused(
    'CHARGE_PENDING',
    'A charge of this subscription has no outcome yet. Try again when it has.',
  ),
  'subscription/currency_changed': refused(
    'CURRENCY_CHANGED',
    'The subscription is charged in another currency by now. Ask for the change anew, at a price in that one.',
  ),
  'subscription/currency_changing': refused(
    'CURRENCY_CHANGING',
    'The subscription moves to another currency with its next renewal. Ask for another plan after that.',
  ),
  'subscription/invalid_change': INVALID_FIELDS,
  'subscription/not_a_downgrade': {
    status: 'ABORTED',
    reason: 'SUBSCRIPTION_CHANGED',
    message: 'The subscription has changed meanwhile. Try again.',
  },
  'subscription/plan_unchanged': refused(
    'PLAN_UNCHANGED',
    'The subscription has this plan already.',
  ),
  'subscription/unused_credit': refused(
    'UNUSED_CREDIT',
    'The plan does not use up the paid time that is left, and nothing of that is to be lost.',
  ),
  'subscription/unused_credit_not_refundable': refused(
    'UNUSED_CREDIT_NOT_REFUNDABLE',
    'The payment of the present period cannot give back the paid time that is left: it is disputed, or too little of it is left.',
  ),
  'subscription/expired': refused(
    'SUBSCRIPTION_EXPIRED',
    'The subscription has expired; nothing can change it any more.',
  ),
  'subscription/not_canceled': refused(
    'SUBSCRIPTION_NOT_CANCELED',
    'Only a canceled subscription can be reactivated.',
  ),
  'subscription/not_found': missing('SUBSCRIPTION', 'subscription'),
};
