import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Period } from '../../calendar/index.js';
import { addHours } from '../../calendar/index.js';
import { DEFAULT_DUNNING } from '../../dunning/index.js';
import { noTaxRates } from '../../pricing/index.js';
import {
  type Subscription,
  subscriptionAggregate,
  type SubscriptionCommand,
} from '../../subscription/index.js';
import { type Measured, SubscriptionMeasures } from './subscription-measures.js';

/** Random lives of subscriptions by the domain's own decisions, each with its measures beside. */
const { decider } = subscriptionAggregate;
const START = '2027-01-31T10:00:00.000Z';
/** Short ones more often than not, so that lives have many periods. */
const UNITS = ['day', 'day', 'week', 'week', 'month', 'year'] as const;

const price = fc.oneof(
  fc.constantFrom(0n, 0n, 0n, 900n),
  fc.bigInt(1n, 99n),
  fc.bigInt(1n, 10n ** 15n),
);
const plan = fc.record({
  planId: fc.constantFrom('plan_1', 'plan_2', 'plan_3'),
  amountMinor: price.map(String),
  period: fc.record({ value: fc.integer({ min: 1, max: 3 }), unit: fc.constantFrom(...UNITS) }),
});
type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never;

const ACTS = [
  ...(['due', 'capture', 'capture', 'soft', 'hard', 'cancel', 'reactivate'] as const),
  ...(['change', 'change_later'] as const),
];
type Kind = (typeof ACTS)[number] | 'cancel_at_once';

const PAIRS: readonly (readonly Kind[])[] = [
  ['due', 'capture'],
  ['change', 'capture'],
  ['change_later', 'due'],
];

const act = fc.record({
  kinds: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom<readonly Kind[]>(...PAIRS) },
    { weight: 8, arbitrary: fc.constantFrom<Kind>(...ACTS).map((kind) => [kind]) },
    { weight: 1, arbitrary: fc.constant<readonly Kind[]>(['cancel_at_once']) },
  ),
  hours: fc.oneof(fc.nat(40), fc.nat(1_000)),
  plan,
});
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

const life = fc.record({
  bought: plan,
  onTrial: fc.boolean(),
  currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
  acts: fc.array(act, { maxLength: 40 }),
});
type Life = typeof life extends fc.Arbitrary<infer Value> ? Value : never;

interface Step {
  readonly state: Subscription;
  readonly measured: Measured | undefined;
  /** Whether a charge of its own has come by then. */
  readonly hasPaid: boolean;
}

function live({ bought, onTrial, currency, acts }: Life): Step[] {
  const measures = new SubscriptionMeasures();
  const steps: Step[] = [];
  let state: Subscription = decider.initialState;
  let hasPaid = !onTrial;
  const take = (command: SubscriptionCommand) => {
    const decision = decider.decide(command, state);
    for (const event of decision.accepted ? decision.events : []) {
      state = decider.evolve(state, event);
      hasPaid ||= event.type === 'subscription.renewed.v1';
      const recorded = { ...event, id: `e${steps.length}`, streamName: 'subscription-sub_1' };
      steps.push({ state, hasPaid, measured: measures.take(recorded) });
    }
  };
  take(begin(bought, currency, onTrial));
  let now = START;
  for (const each of acts) {
    now = addHours(now, each.hours);
    for (const kind of each.kinds) take(toCommand(kind, each, { state, now, currency }));
  }
  return steps;
}

function begin({ planId, amountMinor, period }: Plan, currency: string, onTrial: boolean) {
  const terms = {
    ...{ subscriptionId: 'sub_1', appId: 'app_1', player: 'p', planId, period },
    ...{ price: { amountMinor, currency }, paymentMethod: '', checkoutLinkId: '' },
    ...{ regionCode: '', personal: {}, trial: onTrial ? WEEK : null },
  };
  const initialPayment = onTrial ? null : { paymentId: 'pay_0', paymentRevision: 1 };
  return { kind: 'CreateSubscription', terms, initialPayment, now: START } as const;
}

const WEEK: Period = { value: 1, unit: 'week' };

function toCommand(
  kind: Kind,
  { hours, plan: { planId, amountMinor, period } }: Act,
  { state, now, currency }: { state: Subscription; now: string; currency: string },
): SubscriptionCommand {
  switch (kind) {
    case 'due':
      return { kind: 'ProcessDueDate', dunning: DEFAULT_DUNNING, now };
    case 'cancel':
    case 'cancel_at_once':
      return { kind: 'CancelSubscription', cancelAtPeriodEnd: kind === 'cancel', now };
    case 'reactivate':
      return { kind: 'ReactivateSubscription', now };
    case 'change':
    case 'change_later': {
      const plan = { planId, price: { amountMinor, currency }, period };
      const restartsPeriod = kind === 'change' && hours % 2 === 0;
      const wanted = { plan, amountMinor: null, restartsPeriod, unusedCredit: 'forfeit' } as const;
      if (kind === 'change_later') return { kind: 'SchedulePlanChange', wanted, now };
      return {
        ...{ kind: 'RequestChange', linkId: 'cl_1', attempt: 1, paymentId: `pay_${now}` },
        ...{ wanted, paymentMethod: '', shown: { amountMinor: '9'.repeat(30), currency } },
        ...{ taxRates: noTaxRates, quotedAt: null, now },
      };
    }
    default:
      return settle(kind, state, now);
  }
}

/** The gateway answers for the charge that is on its way. */
function settle(
  kind: 'capture' | 'soft' | 'hard',
  state: Subscription,
  now: string,
): SubscriptionCommand {
  const { pendingCharge, pendingChange } = state.status === 'none' ? NONE : state;
  const decline = { reason: 'card_declined', rawDeclineCode: '' } as const;
  const outcome = kind === 'capture' ? ('captured' as const) : { ...decline, declineClass: kind };
  const paymentId = pendingChange?.paymentId ?? pendingCharge?.paymentId ?? 'pay_none';
  const about = { paymentId, paymentRevision: 1, outcome, now };
  if (pendingChange !== null) return { kind: 'SettleChange', ...about };
  return { kind: 'SettleRenewal', ...about, dunning: DEFAULT_DUNNING };
}

const NONE = { pendingCharge: null, pendingChange: null };

/** By its definition, from the state alone. */
function findMonthly({ state, hasPaid }: Step): bigint {
  if (state.status === 'none' || state.status === 'expired' || !hasPaid) return 0n;
  const { value, unit } = state.period;
  const perYear = { day: 365n, week: 52n, month: 12n, year: 1n }[unit];
  const [dividend, divisor] = [BigInt(state.price.amountMinor) * perYear, 12n * BigInt(value)];
  const [whole, twice] = [dividend / divisor, 2n * (dividend % divisor)];
  return twice > divisor || (twice === divisor && whole % 2n === 1n) ? whole + 1n : whole;
}

const RUNS = { numRuns: 300 };

/** rules/finance 40 */
describe('the recurring revenue of any life of a subscription', () => {
  it('is at each event the sum of its movements, and that of the canceled ones stands beside', () => {
    fc.assert(
      fc.property(life, (one) => {
        let [sum, willChurn] = [0n, 0n];
        for (const step of live(one)) {
          for (const { beforeMinor, afterMinor } of step.measured?.movements ?? []) {
            expect(beforeMinor).toBe(sum);
            sum += afterMinor - beforeMinor;
          }
          for (const change of step.measured?.willChurn.values() ?? []) willChurn += change;
          expect(sum).toBe(findMonthly(step));
          expect(willChurn).toBe(step.state.status === 'canceled' ? sum : 0n);
        }
      }),
      RUNS,
    );
  });

  it('begins with new, goes to nothing by churn at its end, and to nothing before by contraction alone', () => {
    fc.assert(
      fc.property(life, (one) => {
        const steps = live(one);
        const moves = steps.flatMap(({ measured, state }) =>
          (measured?.movements ?? []).map((movement) => ({ ...movement, status: state.status })),
        );
        for (const [at, { kind, beforeMinor, afterMinor, status }] of moves.entries()) {
          expect(kind === 'new').toBe(at === 0);
          expect(kind === 'reactivation').toBe(at > 0 && beforeMinor === 0n);
          expect(kind === 'churn').toBe(status === 'expired');
          expect(['expansion', 'new', 'reactivation'].includes(kind)).toBe(
            afterMinor > beforeMinor,
          );
        }
      }),
      RUNS,
    );
  });

  it('is lost to dunning where a renewal was asked for and not paid, once, with the event of its failure', () => {
    fc.assert(
      fc.property(life, (one) => {
        const lost = live(one).flatMap(({ measured }) => measured?.lost ?? []);
        expect(lost.length).toBeLessThan(2);
        for (const { failureEventId, reason, attempt } of lost) {
          expect(failureEventId).toMatch(/^e\d+$/);
          expect(reason).not.toBe('');
          expect(attempt).toBeGreaterThan(0);
        }
      }),
      RUNS,
    );
  });

  it('was reached by the lives above in all of its movements', () => {
    const kinds = new Set<string>();
    const lost = new Set<string>();
    const runs = { numRuns: 1_500, seed: 44 };
    fc.assert(
      fc.property(life, (one) => {
        for (const { measured } of live(one)) {
          measured?.movements.forEach(({ kind }) => kinds.add(kind));
          const cause = measured?.lost?.cause;
          if (cause !== undefined) lost.add(cause);
        }
      }),
      runs,
    );
    expect([...kinds].sort()).toEqual(['churn', 'contraction', 'expansion', 'new', 'reactivation']);
    expect([...lost].sort()).toEqual(['canceled_while_past_due', 'grace_ended']);
  });
});
