import { checkoutLinkAggregate } from '#domain/checkout-link';
import { paymentAggregate } from '#domain/payment';
import { noTaxRates } from '#domain/pricing';
import { subscriptionAggregate } from '#domain/subscription';
import { play } from '../../support/play.js';
import { BOUGHT, charge, create, periodPurpose } from './purchase.js';

/** A plan is changed: by a page, once declined and once paid, and when the period is over. */
const MID = '2027-02-14T10:00:00.000Z';
const NEXT = '2027-02-15T10:00:00.000Z';
const period = { value: 1, unit: 'month' } as const;
const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
const eur = (amountMinor: string) => ({ amountMinor, currency: 'EUR' });
const platinum = { planId: 'plan_01plat', price: usd('1999'), period };
const silver = { planId: 'plan_01silv', price: usd('499'), period };
const noted = (paymentId: string) => ({ paymentId, paymentRevision: 1 });
const decline = {
  reason: 'insufficient_funds',
  declineClass: 'soft',
  rawDeclineCode: '51',
} as const;
const method = { paymentMethodSubType: 'visa', issuerBank: 'Example Bank' };
const wanted = {
  plan: platinum,
  amountMinor: null,
  restartsPeriod: false,
  unusedCredit: 'forfeit',
} as const;
const request = {
  kind: 'RequestChange',
  linkId: 'cl_01change',
  attempt: 1,
  paymentId: 'pay_01change',
  paymentMethod: 'pm_ok',
  wanted,
  shown: usd('500'),
  taxRates: noTaxRates,
  quotedAt: null,
  now: MID,
} as const;
/** Of a plan that a player has once. */
const claimId = 'cl_01change/2';
const bounds = { trialOncePerPlayer: false, onePerPlayer: true, exclusiveGroup: '' };
const again = { ...request, attempt: 2, paymentId: 'pay_02change', claimId } as const;

export const changedSubscription = play(
  subscriptionAggregate.decider,
  create,
  request,
  { kind: 'SettleChange', ...noted('pay_01change'), outcome: decline, now: MID },
  again,
  { kind: 'SettleChange', ...noted('pay_02change'), outcome: 'captured', now: MID },
  { ...request, linkId: 'cl_02change', paymentId: 'pay_03change', now: NEXT },
  {
    ...request,
    linkId: 'cl_03change',
    paymentId: 'pay_04change',
    paymentMethod: 'pm_new',
    wanted: { ...wanted, plan: null },
    now: NEXT,
  },
  {
    kind: 'SchedulePlanChange',
    ...{ wanted: { ...wanted, plan: silver }, now: NEXT },
    claim: { claimId: 'sub_01gold/4d2c5b0e-6f1a-4c3b-9a57-1e8f0b6d2a90', bounds },
  },
  { kind: 'SchedulePlanChange', wanted, now: NEXT },
  { kind: 'ChangeRegion', regionCode: 'DE', now: NEXT },
  {
    ...{ kind: 'ChangeCurrency', from: 'USD', to: 'EUR', lockedPrices: 'keep', now: NEXT },
    offered: { ...platinum, formerPrice: platinum.price, price: eur('1899') },
    taxRates: {
      versions: [
        {
          ...{ version: 1, setAt: BOUGHT, setBy: 'operator:op_1', effectiveFrom: BOUGHT },
          rates: [{ country: 'DE', rate: '0.19', inclusive: true }],
        },
      ],
    },
  },
  { kind: 'RecordFailedRefund', ...noted('pay_02change'), amount: usd('300'), now: NEXT },
);

/** The payments of both attempts, by their ids. */
export const changePayments = {
  pay_01change: changePayment('pay_01change', { kind: 'DeclinePayment', decline }),
  pay_02change: changePayment('pay_02change', { kind: 'CapturePayment' }),
};

function changePayment(
  paymentId: string,
  outcome: { kind: 'CapturePayment' } | { kind: 'DeclinePayment'; decline: typeof decline },
) {
  const purpose = { ...periodPurpose, kind: 'plan_change' } as const;
  const change = { ...charge, paymentId, checkoutLinkId: 'cl_01change', purpose };
  return play(
    paymentAggregate.decider,
    { kind: 'RequestPayment', charge: change, now: MID },
    { ...outcome, method, now: MID },
  ).events;
}

export const changeLink = play(
  checkoutLinkAggregate.decider,
  {
    kind: 'CreateChangeLink',
    link: {
      ...{ linkId: 'cl_01change', appId: 'app_01gold', player: charge.player, personal: {} },
      offer: { ...platinum, planName: 'Platinum', planDescription: '', trial: null, bounds: null },
      change: {
        ...{ kind: 'plan', subscriptionId: 'sub_01gold', amountMinor: null },
        restartsPeriod: false,
        unusedCredit: 'forfeit',
      },
      ...{
        regionCode: 'US',
        language: 'de',
        returnUrl: 'https://game.example/',
        createdAt: BOUGHT,
      },
      expiresAt: '2027-02-01T10:00:00.000Z',
    },
  },
  {
    ...{ kind: 'AttemptCheckout', paymentMethod: 'pm_ok', shown: usd('500'), quotedAt: BOUGHT },
    ...{ planIsAvailable: true, playerIsErased: false, now: BOUGHT, wallNow: BOUGHT },
    taxRates: noTaxRates,
  },
  { kind: 'CompleteCheckout', subscriptionId: 'sub_01gold', now: BOUGHT },
);
