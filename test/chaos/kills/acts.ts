import { changeCard, changePlan } from '../billing-model/change-steps.js';
import { DAY_MS, HOUR_MS } from '../billing-model/model-dates.js';
import type { METHODS } from '../billing-model/model-gateway.js';
import { ONCE, PLANS } from '../billing-model/model.js';
import { buyTwiceAtOnce } from '../billing-model/once-steps.js';
import { closeDispute, dispute, refund } from '../billing-model/payment-steps.js';
import { buy } from '../billing-model/purchase-steps.js';
import type { Step } from '../billing-model/step.js';
import { cancel } from '../billing-model/subscription-steps.js';
import { wait } from '../billing-model/wait-steps.js';

/** A life of a player, in one of whose steps something dies. */
export interface Act {
  readonly name: string;
  /** The steps before it. */
  readonly before: readonly Step[];
  /** In its middle something dies. */
  readonly act: Step;
}

const FIRST = { which: 0 };
const [MONTHLY, , PREMIUM, TRIAL] = PLANS;
/** With a tax, so that refunds have one. */
const region = 'DE';
const bought = (method: (typeof METHODS)[number], plan: (typeof PLANS)[number] = MONTHLY) =>
  buy({ plan, method, region, confirms: true });
/** The bank wants the player to confirm. */
const CONFIRMED = 'pm_authentication_required';
const paid = bought('pm_ok');
const aMonth = wait((32 * DAY_MS) / HOUR_MS);
const aDay = wait(30);

/** Everything that moves money. */
export const ACTS: readonly Act[] = [
  { name: 'purchase', before: [], act: paid },
  { name: 'purchase, answer lost', before: [], act: bought('pm_timeout') },
  { name: 'purchase that is confirmed at the bank', before: [], act: bought(CONFIRMED) },
  {
    name: 'purchase that is declined at the bank',
    before: [],
    act: buy({ plan: MONTHLY, method: CONFIRMED, region, confirms: false }),
  },
  {
    name: 'two links of a plan that is had once',
    before: [],
    act: buyTwiceAtOnce({ method: 'pm_ok', region, confirms: true }),
  },
  { name: 'change to a plan that is had once', before: [paid], act: changePlan(ONCE, false) },
  { name: 'renewal', before: [paid], act: aMonth },
  { name: 'renewal, answer lost', before: [bought('pm_timeout')], act: aMonth },
  { name: 'first charge after a trial', before: [bought('pm_ok', TRIAL)], act: aMonth },
  {
    name: 'renewal declined and charged again',
    before: [bought('pm_renewal_declines_once')],
    act: aMonth,
  },
  { name: 'upgrade', before: [paid], act: changePlan(PREMIUM, false) },
  {
    name: 'upgrade that is confirmed at the bank',
    before: [paid],
    act: changePlan(PREMIUM, false, { method: CONFIRMED }),
  },
  { name: 'upgrade with a new period', before: [paid, aDay], act: changePlan(PREMIUM, true) },
  {
    name: 'downgrade',
    before: [bought('pm_ok', PREMIUM), changePlan(MONTHLY, false)],
    act: aMonth,
  },
  {
    name: 'another card pays the open period',
    before: [bought('pm_renewal_declines'), aMonth],
    act: changeCard(),
  },
  { name: 'refund', before: [paid], act: refund(FIRST, 100) },
  { name: 'refund of a part', before: [paid, refund(FIRST, 10)], act: refund(FIRST, 33) },
  { name: 'dispute', before: [paid], act: dispute(FIRST, 50) },
  { name: 'dispute lost', before: [paid, dispute(FIRST, 50)], act: closeDispute(FIRST, false) },
  {
    name: 'refund after a dispute that was won',
    before: [paid, dispute(FIRST, 50), closeDispute(FIRST, true)],
    act: refund(FIRST, 100),
  },
  { name: 'end', before: [paid, cancel(true)], act: aMonth },
];
