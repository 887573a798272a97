import fc from 'fast-check';
import type { Part } from '../../support/standalone.js';
import { DAY_MS, HOUR_MS } from './model-dates.js';
import { METHODS } from './model-gateway.js';
import { type Region, REGIONS } from './model-payment.js';
import { PLANS } from './model.js';
import { closeDispute, dispute, refund } from './payment-steps.js';
import type { Step } from './step.js';
import { buy, cancel, changeCard, changePlan, reactivate, wait } from './subscription-steps.js';

const crash = (part: Part, afterMs: number): Step => ({
  check: () => true,
  run: async (_, { player }) => {
    player.killDuringNext(part, afterMs);
    return Promise.resolve();
  },
  toString: () => `the ${part} dies ${afterMs} ms into the next step`,
});

const PARTS: readonly Part[] = ['api', 'worker', 'projector', 'redis', 'event-store', 'storefront'];
/** Most steps have ended by then. */
const LONGEST_STEP_MS = 200;
/** With waits of up to ten weeks: a year or two. */
const MOST_STEPS = 40;

/** Random months of a player. */
export function playerLives({ crashes }: { readonly crashes: boolean }) {
  const regions = Object.keys(REGIONS) as Region[];
  const order = fc.record({
    plan: fc.constantFrom(...PLANS),
    method: fc.constantFrom(...METHODS),
    region: fc.constantFrom(...regions),
  });
  const part = fc.tuple(fc.nat(8), fc.constantFrom(10, 33, 50, 100));
  const change = fc.tuple(fc.constantFrom(...PLANS), fc.boolean());
  const closing = fc.tuple(fc.nat(8), fc.boolean());
  const kill = fc.tuple(fc.constantFrom(...PARTS), fc.nat(LONGEST_STEP_MS));
  const steps = [
    order.map(buy),
    fc.integer({ min: 1, max: 70 * 24 }).map(wait),
    fc.constantFrom(1, 2, 7, 31).map((days) => wait((days * DAY_MS) / HOUR_MS)),
    fc.boolean().map(cancel),
    fc.constant(reactivate),
    change.map(([plan, restarts]) => changePlan(plan, restarts)),
    fc.constant(changeCard),
    part.map(([which, of]) => refund(which, of)),
    part.map(([which, of]) => dispute(which, of)),
    closing.map(([which, won]) => closeDispute(which, won)),
    ...(crashes ? [kill.map(([dying, afterMs]) => crash(dying, afterMs))] : []),
  ];
  const further = fc.array(fc.oneof(...steps), { maxLength: MOST_STEPS, size: 'max' });
  return fc.tuple(order.map(buy), further).map(([first, rest]) => [first, ...rest]);
}
