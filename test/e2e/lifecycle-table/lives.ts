import {
  type Act,
  agree,
  cancel,
  close,
  confirmedAfter,
  cost,
  DAY_MS,
  inTurn,
  noChange,
  nothingMore,
  paid,
  reactivate,
  reprice,
  to,
  waits,
} from './acts.js';

/** When subscriptions are looked at: bought, an hour after their due date, after the first retry, after the end of grace. */
export const PHASES = ['bought', 'due', 'retried', 'ended'] as const;
export type Phase = (typeof PHASES)[number];
export const AFTER_MS: Readonly<Record<Phase, number>> = {
  ...{ bought: 0, due: 30 * DAY_MS, retried: 31 * DAY_MS, ended: 32 * DAY_MS },
};

const BOUGHT = ['payment.succeeded', 'subscription.created'];
const RENEWED = ['payment.succeeded', 'subscription.payment_succeeded'];
const FAILED = ['payment.failed', 'subscription.payment_failed'];
const RETURNED = ['payment.succeeded', 'payment.refunded'];
const CANCELED = [400, 9, 'SUBSCRIPTION_CANCELED'];
const EXPIRED = [400, 9, 'SUBSCRIPTION_EXPIRED'];
const PENDING = [400, 9, 'CHARGE_PENDING'];

/** The step of a phase, the status after it, and the webhooks since the last one. */
export interface Step {
  readonly do?: Act;
  readonly is: 'active' | 'past_due' | 'canceled' | 'expired';
  readonly sent: readonly string[];
}
export type Life = Partial<Record<Phase, Step>> & {
  readonly method?: string;
  readonly plan?: string;
};

/** The lives of subscriptions, by their kinds, phase by phase. */
export const LIVES: Readonly<Record<string, Life>> = {
  'is renewed': {
    bought: { is: 'active', sent: BOUGHT },
    due: { is: 'active', sent: RENEWED },
  },
  'on trial is charged when the trial ends': {
    plan: 'tried',
    bought: { is: 'active', sent: ['subscription.created'] },
    due: { is: 'active', sent: RENEWED },
  },
  'on trial is past due when that is declined': {
    ...{ plan: 'tried', method: 'pm_decline_insufficient_funds' },
    bought: { is: 'active', sent: ['subscription.created'] },
    due: { is: 'past_due', sent: FAILED },
  },
  'on trial is canceled without a charge': {
    plan: 'tried',
    bought: {
      do: cancel(),
      is: 'canceled',
      sent: ['subscription.created', 'subscription.canceled'],
    },
    due: { is: 'expired', sent: ['subscription.expired'] },
  },
  'on trial has a dearer plan at once, for nothing': {
    plan: 'tried',
    bought: {
      do: paid(to('dear')),
      is: 'active',
      sent: ['subscription.created', 'subscription.updated'],
    },
    due: { is: 'active', sent: RENEWED },
  },
  'on trial has a cheaper plan when the trial ends': {
    plan: 'tried',
    bought: { do: waits(30), is: 'active', sent: ['subscription.created'] },
    due: { is: 'active', sent: ['subscription.updated', ...RENEWED] },
  },
  'is past due, retried, and expires at the end of grace': {
    method: 'pm_renewal_declines',
    due: { is: 'past_due', sent: [...BOUGHT, ...FAILED] },
    retried: { is: 'past_due', sent: FAILED },
    ended: {
      do: inTurn(nothingMore, noChange(EXPIRED)),
      is: 'expired',
      sent: [...FAILED, 'subscription.expired'],
    },
  },
  'recovers by a retry': {
    method: 'pm_renewal_declines_once',
    due: { is: 'past_due', sent: [...BOUGHT, ...FAILED] },
    retried: { is: 'active', sent: RENEWED },
  },
  'is canceled while past due': {
    method: 'pm_renewal_declines',
    due: { do: cancel(), is: 'expired', sent: [...BOUGHT, ...FAILED, 'subscription.expired'] },
    ended: { is: 'expired', sent: [] },
  },
  'is ended at once while past due': {
    method: 'pm_renewal_declines',
    due: { do: cancel(false), is: 'expired', sent: [...BOUGHT, ...FAILED, 'subscription.expired'] },
    ended: { is: 'expired', sent: [] },
  },
  'pays its open period by another method': {
    method: 'pm_renewal_declines',
    due: { do: paid({}), is: 'active', sent: [...BOUGHT, ...FAILED, ...RENEWED] },
  },
  'pays its open period with a dearer plan': {
    method: 'pm_renewal_declines',
    due: {
      do: paid(to('dear')),
      is: 'active',
      sent: [...BOUGHT, ...FAILED, ...RENEWED, 'subscription.updated'],
    },
  },
  'has a cheaper plan after its open period': {
    method: 'pm_renewal_declines_once',
    due: { do: waits(60), is: 'past_due', sent: [...BOUGHT, ...FAILED] },
    retried: { is: 'active', sent: RENEWED },
  },
  'stays active while its charge is open, cannot be changed, and expires when it is given up': {
    bought: { do: paid({}, 'pm_unavailable'), is: 'active', sent: BOUGHT },
    due: { do: noChange(PENDING), is: 'active', sent: [] },
    ended: { is: 'expired', sent: [...FAILED, 'subscription.expired'] },
  },
  'ends while its charge is open, which is then given up': {
    bought: { do: paid({}, 'pm_unavailable'), is: 'active', sent: BOUGHT },
    due: { do: cancel(false), is: 'expired', sent: ['subscription.expired'] },
    ended: { is: 'expired', sent: ['payment.failed'] },
  },
  'ends while its charge is open, which is then captured, and given back': {
    method: 'pm_renewal_declines',
    due: {
      do: confirmedAfter({}, cancel(false)),
      is: 'expired',
      sent: [...BOUGHT, ...FAILED, 'subscription.expired', ...RETURNED],
    },
    ended: { is: 'expired', sent: [] },
  },
  'is canceled while a charge is open, which is then captured, and given back': {
    bought: {
      do: confirmedAfter(to('dear'), cancel()),
      is: 'canceled',
      sent: [...BOUGHT, 'subscription.canceled', ...RETURNED],
    },
    due: { is: 'expired', sent: ['subscription.expired'] },
  },
  'is canceled once, cannot be changed, and ends with its period': {
    bought: {
      do: inTurn(cancel(), cancel(), noChange(CANCELED)),
      is: 'canceled',
      sent: [...BOUGHT, 'subscription.canceled'],
    },
    due: { is: 'expired', sent: ['subscription.expired'] },
  },
  'is canceled, and then at once': {
    bought: {
      do: inTurn(cancel(), cancel(false)),
      is: 'expired',
      sent: [...BOUGHT, 'subscription.canceled', 'subscription.expired'],
    },
  },
  'is ended at once, for good': {
    bought: {
      do: inTurn(cancel(false), nothingMore, noChange(EXPIRED)),
      is: 'expired',
      sent: [...BOUGHT, 'subscription.expired'],
    },
    due: { is: 'expired', sent: [] },
  },
  'is canceled and taken back': {
    bought: {
      do: inTurn(cancel(), reactivate),
      is: 'active',
      sent: [...BOUGHT, 'subscription.canceled', 'subscription.reactivated'],
    },
    due: { is: 'active', sent: RENEWED },
  },
  'has a dearer plan at once': {
    bought: {
      do: paid(to('dear')),
      is: 'active',
      sent: [...BOUGHT, 'payment.succeeded', 'subscription.updated'],
    },
    due: { is: 'active', sent: RENEWED },
  },
  'has a dearer plan for nothing where the studio says so': {
    bought: {
      do: paid(to('dear', { amountCents: '0' })),
      is: 'active',
      sent: [...BOUGHT, 'subscription.updated'],
    },
  },
  'keeps its plan when the charge for a dearer one is declined': {
    bought: {
      do: agree(to('dear'), 'pm_decline_do_not_honor'),
      is: 'active',
      sent: [...BOUGHT, 'payment.failed'],
    },
    due: { is: 'active', sent: RENEWED },
  },
  'has a cheaper plan when the period is over': {
    bought: { do: waits(30), is: 'active', sent: BOUGHT },
    due: { is: 'active', sent: ['subscription.updated', ...RENEWED] },
  },
  'keeps its price where its plan has another one by then': {
    plan: 'locked',
    bought: {
      do: reprice('locked', '1099'),
      ...{ is: 'active', sent: BOUGHT },
    },
    due: { do: cost('999'), is: 'active', sent: RENEWED },
  },
  'is renewed where its plan is archived, which takes no new ones': {
    plan: 'gone',
    bought: { do: close('gone', 'archive'), is: 'active', sent: BOUGHT },
    due: { is: 'active', sent: RENEWED },
  },
  'is renewed where its plan is deprecated, which takes no new ones': {
    plan: 'fading',
    bought: { do: close('fading', 'deprecate'), is: 'active', sent: BOUGHT },
    due: { is: 'active', sent: RENEWED },
  },
};
