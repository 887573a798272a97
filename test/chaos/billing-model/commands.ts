import fc from 'fast-check';
import type { Part } from '../../support/standalone.js';
import { changeCard, changePlan } from './change-steps.js';
import { DAY_MS, HOUR_MS } from './model-dates.js';
import { CHANGE_METHODS, METHODS } from './model-gateway.js';
import { type Region, REGIONS } from './model-payment.js';
import { PLANS } from './model.js';
import { leaveChangeOpen, loseGateway } from './open-change-steps.js';
import { closeDispute, dispute, refund } from './payment-steps.js';
import { reprice, sell } from './plan-steps.js';
import type { Step } from './step.js';
import { buy, cancel, reactivate } from './subscription-steps.js';
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
/** With waits of up to ten weeks: a year or two. */
const MOST_STEPS = 40;

/**
 * What random lives come to seldom: a period that begins anew, so that what is charged and credited covers other times; a
 * plan that was bought before and after its price changed; a change for what the studio names; a charge that is given up.
 */
export const KNOWN_LIFE: readonly Step[] = [
  buy({ plan: PLANS[0], method: 'pm_ok', region: 'DE', confirms: true }),
  wait(250),
  changePlan(PLANS[2], true),
  wait(100),
  // A price, or the end of its sale, does not reach who has the plan.
  reprice(PLANS[2], 2999),
  sell(PLANS[2], 'archive'),
  wait(700),
  reprice(PLANS[0], 499),
  buy({ plan: PLANS[0], method: 'pm_ok', region: 'US-NY', confirms: true }),
  changePlan(PLANS[1], false, { named: 777 }),
  loseGateway(1),
  wait(800),
];

/** Random months of a player. */
export function playerLives({ crashes }: { readonly crashes: boolean }) {
  const regions = Object.keys(REGIONS) as Region[];
  const order = fc.record({
    plan: fc.constantFrom(...PLANS),
    // Each of its charges takes seconds: it is for long runs.
    method: fc.constantFrom(...METHODS.filter((name) => crashes || name !== 'pm_pending')),
    region: fc.constantFrom(...regions),
    confirms: fc.boolean(),
  });
  const subscription = fc.nat(2);
  const which = fc.record({ which: fc.nat(8), subscription });
  const part = fc.tuple(which, fc.constantFrom(10, 33, 50, 100));
  const wish = fc.record({ which: subscription, method: fc.constantFrom(...CHANGE_METHODS) });
  const named = fc.option(fc.constantFrom(0, 1, 777), { freq: 2 });
  const change = fc.tuple(fc.constantFrom(...PLANS), fc.boolean(), wish, named);
  const price = fc.tuple(fc.constantFrom(...PLANS), fc.constantFrom(499, 1234, 2999));
  const sale = fc.tuple(
    fc.constantFrom(...PLANS),
    fc.constantFrom('archive', 'deprecate', 'activate', 'activate'),
  );
  const closing = fc.tuple(which, fc.boolean());
  const kill = fc.tuple(fc.constantFrom(...PARTS), fc.nat(LONGEST_STEP_MS));
  const steps = [
    order.map(buy),
    fc.integer({ min: 1, max: 70 * 24 }).map(wait),
    fc.constantFrom(1, 2, 7, 31).map((days) => wait((days * DAY_MS) / HOUR_MS)),
    fc.tuple(fc.boolean(), subscription).map(([atPeriodEnd, of]) => cancel(atPeriodEnd, of)),
    subscription.map(reactivate),
    change.map(([plan, restarts, of, cents]) =>
      changePlan(plan, restarts, { ...of, named: cents }),
    ),
    price.map(([plan, cents]) => reprice(plan, cents)),
    sale.map(([plan, call]) => sell(plan, call)),
    wish.map(changeCard),
    subscription.map(loseGateway),
    fc
      .tuple(fc.constantFrom(...PLANS), subscription)
      .map(([plan, of]) => leaveChangeOpen(plan, of)),
    // Within a grace, or the day of an open change.
    fc.integer({ min: 1, max: 47 }).map(wait),
    part.map(([payment, of]) => refund(payment, of)),
    part.map(([payment, of]) => dispute(payment, of)),
    closing.map(([payment, won]) => closeDispute(payment, won)),
    ...(crashes ? [kill.map(([dying, afterMs]) => crash(dying, afterMs))] : []),
  ];
  const further = fc.array(fc.oneof(...steps), { maxLength: MOST_STEPS, size: 'max' });
  return fc.tuple(order.map(buy), further).map(([first, rest]) => [first, ...rest]);
}
