import fc from 'fast-check';
import type { Part } from '../../support/standalone.js';
import { changeCard, changePlan } from './change-steps.js';
import { DAY_MS, HOUR_MS } from './model-dates.js';
import { cancelPendingRenewal, outrunChange, outrunRenewal } from './late-steps.js';
import { CHANGE_METHODS, type MethodName, METHODS, PENDING } from './model-gateway.js';
import { RATES, REGIONS } from './model-tax.js';
import { type DunningSettings, PLANS, UNUSED } from './model.js';
import { leaveCardOpen } from './open-card-steps.js';
import { comeToBank, leaveChangeOpen, loseGateway, OPEN_MOODS } from './open-change-steps.js';
import { closeDispute, dispute, refund } from './payment-steps.js';
import { refundDuringDispute, refundTwice } from './race-steps.js';
import { recover, reprice, sell } from './plan-steps.js';
import type { Step } from './step.js';
import { buy, buyByAnother } from './purchase-steps.js';
import { cancel, reactivate } from './subscription-steps.js';
import { setRates } from './tax-steps.js';
import { wait } from './wait-steps.js';

const crash = (part: Part, afterMs: number): Step => ({
  check: () => true,
  run: async (_, { player }) => {
    player.calls.killDuringNext(part, afterMs);
    return Promise.resolve();
  },
  toString: () => `the ${part} dies ${afterMs} ms into the next step`,
});

const PARTS: readonly Part[] = ['api', 'worker', 'projector', 'redis', 'event-store', 'storefront'];
/** Most steps have ended by then. */
const LONGEST_STEP_MS = 200;
/** Ways to recover declined payments, where they are not an app's own: none at all, several retries, some declines. */
const DUNNINGS: readonly Partial<DunningSettings>[] = [
  {},
  { graceHours: 0, retryAfterHours: [] },
  { graceHours: 72, retryAfterHours: [7, 30] },
  { retriedDeclineClasses: ['authentication_required'] },
  { graceHours: 96, retryAfterHours: [9, 96], retriedDeclineClasses: ['soft', 'unknown'] },
  { graceHours: 240, retryAfterHours: [24, 72, 168, 240] },
];
/** With waits of up to ten weeks: a year or two. */
const MOST_STEPS = 40;

/** Those that a first payment begins. */
const priced = PLANS.filter(({ trial }) => trial === null);

/** Random months of a player. */
export function playerLives({ crashes }: { readonly crashes: boolean }) {
  // Each of its charges takes seconds: it is for long runs.
  const isPlayed = (name: MethodName) => crashes || name !== PENDING;
  const order = fc.record({
    plan: fc.constantFrom(...PLANS),
    method: fc.constantFrom(...METHODS.filter(isPlayed)),
    region: fc.constantFrom(...REGIONS),
    confirms: fc.boolean(),
  });
  const another = fc.tuple(
    fc.record({
      plan: fc.constantFrom(...priced),
      method: fc.constant('pm_ok' as const),
      region: fc.constantFrom(...REGIONS),
    }),
    fc.boolean(),
  );
  const subscription = fc.nat(2);
  const which = fc.record({ which: fc.nat(8), subscription });
  const part = fc.tuple(which, fc.constantFrom(10, 33, 50, 100, 'the rest' as const));
  const percent = fc.constantFrom(10, 50, 100);
  const two = fc.tuple(which, fc.tuple(percent, percent));
  const wish = fc.record({
    which: subscription,
    asShown: fc.boolean(),
    method: fc.constantFrom(...CHANGE_METHODS.filter(isPlayed)),
  });
  const named = fc.option(fc.constantFrom(0, 1, 777), { freq: 2 });
  const unused = fc.constantFrom(...UNUSED);
  const change = fc.tuple(fc.constantFrom(...PLANS), fc.boolean(), wish, named, unused);
  const price = fc.tuple(fc.constantFrom(...PLANS), fc.constantFrom(499, 1234, 2999));
  const sale = fc.tuple(
    fc.constantFrom(...PLANS),
    fc.constantFrom('archive', 'deprecate', 'activate', 'activate'),
  );
  const opening = fc.record({
    which: subscription,
    mood: fc.constantFrom(...OPEN_MOODS),
    restarts: fc.boolean(),
    named,
  });
  const plans = fc.constantFrom(...PLANS);
  const outrun = fc.tuple(fc.option(plans), subscription);
  const rates = fc.tuple(
    fc.constantFrom(...RATES),
    fc.option(fc.integer({ min: 1, max: 70 * 24 })),
  );
  const closing = fc.tuple(which, fc.boolean());
  const kill = fc.tuple(fc.constantFrom(...PARTS), fc.nat(LONGEST_STEP_MS));
  const steps = [
    order.map(buy),
    fc.integer({ min: 1, max: 70 * 24 }).map(wait),
    fc.constantFrom(1, 2, 7, 31, 366).map((days) => wait((days * DAY_MS) / HOUR_MS)),
    fc.tuple(fc.boolean(), subscription).map(([atPeriodEnd, of]) => cancel(atPeriodEnd, of)),
    another.map(([bought, confirms]) => buyByAnother({ ...bought, confirms: true }, { confirms })),
    subscription.map(reactivate),
    change.map(([plan, restarts, of, cents, rest]) =>
      changePlan(plan, restarts, { ...of, named: cents, unused: rest }),
    ),
    price.map(([plan, cents]) => reprice(plan, cents)),
    sale.map(([plan, call]) => sell(plan, call)),
    fc.constantFrom(...DUNNINGS).map(recover),
    rates.map(([set, inHours]) => setRates(set, inHours)),
    wish.map(changeCard),
    subscription.map(loseGateway),
    fc.tuple(plans, opening).map(([plan, wished]) => leaveChangeOpen(plan, wished)),
    fc.tuple(subscription, fc.boolean()).map(([of, confirms]) => comeToBank(of, confirms)),
    fc
      .tuple(subscription, fc.constantFrom(...OPEN_MOODS))
      .map(([of, mood]) => leaveCardOpen(of, mood)),
    // Within a grace, or the day of an open change.
    fc.integer({ min: 1, max: 47 }).map(wait),
    part.map(([payment, of]) => refund(payment, of)),
    part.map(([payment, of]) => dispute(payment, of)),
    two.map(([payment, of]) => refundTwice(payment, of)),
    two.map(([payment, of]) => refundDuringDispute(payment, of)),
    closing.map(([payment, won]) => closeDispute(payment, won)),
    ...(crashes
      ? [
          subscription.map(outrunRenewal),
          subscription.map(cancelPendingRenewal),
          outrun.map(([plan, of]) => outrunChange(plan, of)),
          kill.map(([dying, afterMs]) => crash(dying, afterMs)),
        ]
      : []),
  ];
  // Seldom events: the player comes back to the bank, in time, too late, or after the end.
  const meanwhile = fc.oneof(
    fc.integer({ min: 1, max: 47 }).map((hours) => [wait(hours)]),
    fc.tuple(fc.boolean(), subscription).map(([atPeriodEnd, of]) => [cancel(atPeriodEnd, of)]),
    fc.constant([]),
  );
  const visit = fc
    .tuple(plans, opening, meanwhile, fc.boolean())
    .map(([plan, wished, between, confirms]) => [
      leaveChangeOpen(plan, { ...wished, mood: 'pm_authentication_required' }),
      ...between,
      comeToBank(wished.which, confirms),
    ]);
  // So is another card for a period that a renewal has not paid.
  const rescue = fc
    .tuple(subscription, meanwhile, fc.boolean())
    .map(([of, between, confirms]) => [
      leaveCardOpen(of, 'pm_authentication_required'),
      ...between,
      comeToBank(of, confirms),
    ]);
  const scenes = fc.oneof(
    { weight: 18, arbitrary: fc.oneof(...steps).map((step) => [step]) },
    { weight: 2, arbitrary: visit },
    { weight: 1, arbitrary: rescue },
  );
  const further = fc.array(scenes, { maxLength: MOST_STEPS, size: 'max' });
  return fc.tuple(order.map(buy), further).map(([first, rest]) => [first, ...rest.flat()]);
}
