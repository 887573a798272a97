import { describe, expect, it } from 'vitest';
import {
  evolvePaymentSummary,
  type PaymentEvent,
  type PaymentLine,
  type ShownPayment,
} from '#domain/payment';
import { planAggregate } from '#domain/plan';
import { subscriptionAggregate } from '#domain/subscription';
import {
  printExplainedPayment,
  printPayment,
  renderPlan,
  renderSubscription,
} from '#representations';
import { play } from '../support/play.js';
import { golden, goldenNames, pretty } from './golden-files.js';
import {
  BOUGHT,
  charge,
  declinedCheckout,
  paid,
  payment,
  plan,
  renewalPaid,
  subscription,
  trialSubscription,
} from './stories/purchase.js';

/** The objects that REST answers carry (rules/payments 7, rules/api 17, rules/lifecycle 10), in all the forms that they have. */
const barePlan = play(planAggregate.decider, {
  kind: 'CreatePlan',
  plan: {
    planId: 'plan_01bare',
    appId: 'app_01gold',
    segmentId: 'default',
    code: 'bare',
    name: 'Bare',
    description: '',
    billingPeriod: { value: 1, unit: 'year' },
    prices: [],
    trial: null,
    benefitsJson: '',
    trialOncePerPlayer: false,
    onePerPlayer: false,
    exclusiveGroup: '',
    availableFrom: null,
    availableUntil: null,
    createdAt: BOUGHT,
  },
});
const pending = paid({ kind: 'RequestPayment', charge, now: BOUGHT });
interface Story {
  readonly events: readonly PaymentEvent[];
}
const ACCOUNT = { accountId: 'player-42', referenceId: 'order-7' };
const yen = { amountMinor: '980', currency: 'JPY' };

const objects: Readonly<Record<string, unknown>> = {
  plan: renderPlan(present(plan.state)),
  'plan-bare': renderPlan(present(barePlan.state)),
  'subscription-active': renderedAfter(1),
  'subscription-past-due': renderedAfter(3),
  'subscription-canceled': renderedAfter(6),
  'subscription-expired': renderedAfter(subscription.events.length),
  'subscription-on-trial': renderSubscription(present(trialSubscription.state), ACCOUNT),
  'payment-pending': renderedPayment(pending),
  'payment-succeeded': renderedPayment(renewalPaid(yen, 'captured')),
  'payment-failed': renderedPayment(renewalPaid(yen, 'declined')),
  'payment-failed-checkout': renderedPayment(declinedCheckout),
  'payment-refunded': renderedPayment(payment),
  'payment-explained': renderedWithLines(pending, charge.lines),
};

describe('on the wire', () => {
  it.each(Object.entries(objects))('%s is the golden object, field by field', (name, object) => {
    const found = pretty(object);
    expect(found).toBe(golden('wire', name, found));
  });

  it('every golden file is of an object here', () => {
    expect(goldenNames('wire').sort()).toEqual(Object.keys(objects).sort());
  });
});

function renderedAfter(count: number) {
  const { evolve, initialState } = subscriptionAggregate.decider;
  return renderSubscription(
    present(subscription.events.slice(0, count).reduce(evolve, initialState)),
    ACCOUNT,
  );
}

function renderedPayment({ events }: Story) {
  return readPrinted(printPayment(shown(events), ACCOUNT));
}

function renderedWithLines({ events }: Story, lines: readonly PaymentLine[]) {
  return readPrinted(printExplainedPayment(shown(events), ACCOUNT, lines));
}

function shown(events: readonly PaymentEvent[]) {
  return present(events.reduce<ShownPayment>(evolvePaymentSummary, { status: 'none' }));
}

function readPrinted(json: string) {
  const object = JSON.parse(json) as unknown;
  // As it would be printed of an object, byte for byte.
  expect(json).toBe(JSON.stringify(object));
  return object;
}

function present<State extends { readonly status: string }>(
  state: State,
): Exclude<State, { readonly status: 'none' }> {
  if (state.status === 'none') throw new Error('the story makes nothing of it');
  // A state that is not absent is there.
  return state as Exclude<State, { readonly status: 'none' }>;
}
