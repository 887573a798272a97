import { changeCard, changePlan } from './change-steps.js';
import { UNANSWERED } from './model-gateway.js';
import { cancelPendingRenewal, outrunChange, outrunRenewal } from './late-steps.js';
import { RATES, type Region } from './model-tax.js';
import { PLANS } from './model.js';
import { leaveCardOpen } from './open-card-steps.js';
import { comeToBank, leaveChangeOpen, loseGateway } from './open-change-steps.js';
import { closeDispute, dispute, refund } from './payment-steps.js';
import { recover, reprice, sell } from './plan-steps.js';
import { refundDuringDispute, refundTwice } from './race-steps.js';
import type { Step } from './step.js';
import { buy, buyByAnother, type Order } from './purchase-steps.js';
import { cancel, reactivate } from './subscription-steps.js';
import { setRates } from './tax-steps.js';
import { wait } from './wait-steps.js';

/**
 * Cases that random lives come to seldom: a period that begins anew, so that charges and credits cover other times; a
 * plan that was bought before and after its price changed; a change for the studio's amount; a charge that is given up.
 */
const LIFE_OF_PRICES: readonly Step[] = [
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
  changePlan(PLANS[1], false, { named: 777, asShown: false }),
  loseGateway(1),
  wait(800),
];

const BANK = 'pm_authentication_required';
const NEWEST = 0;

/** The player comes to the bank too late, then in time; and changes at once. */
const LIFE_AT_THE_BANK: readonly Step[] = [
  buy({ plan: PLANS[0], method: 'pm_ok', region: 'DE', confirms: true }),
  leaveChangeOpen(PLANS[2], { which: NEWEST, mood: BANK }),
  wait(30),
  comeToBank(NEWEST, true),
  leaveChangeOpen(PLANS[2], { which: NEWEST, mood: BANK, restarts: true }),
  comeToBank(NEWEST, true),
  refundTwice({ which: 2 }, [50, 100]),
  refundDuringDispute({ which: 0 }, [10, 50]),
  closeDispute({ which: 0 }, false),
];

/** The player comes to the bank while a period is not paid, and after the end. */
const LIFE_OF_ENDS: readonly Step[] = [
  recover({ graceHours: 72, retryAfterHours: [7, 30] }),
  buy({ plan: PLANS[0], method: 'pm_ok', region: 'DE', confirms: true }),
  changePlan(PLANS[2], true, { method: BANK }),
  // Its card is declined without the player.
  wait(750),
  reprice(PLANS[1], 7500),
  leaveChangeOpen(PLANS[1], { which: NEWEST, mood: BANK, named: 777 }),
  comeToBank(NEWEST, true),
  buy({ plan: PLANS[0], method: 'pm_ok', region: 'FR', confirms: true }),
  leaveChangeOpen(PLANS[2], { which: NEWEST, mood: BANK }),
  cancel(false, NEWEST),
  comeToBank(NEWEST, true),
  wait(200),
];

/** A trial of a week, which no payment follows by itself. */
const triedWithout = (region: Region): Order => ({
  ...{ plan: PLANS[3], region, confirms: true },
  method: 'pm_decline_insufficient_funds',
});

/**
 * Another card is left at the bank while a period is not paid: it pays in time, after a retry and grace fell due; it is
 * given up, the retry goes on, and a later confirmation goes back, as it does where the subscription has ended.
 */
const LIFE_OF_CARDS: readonly Step[] = [
  // A first payment that buys nothing is its own subject.
  buy({ plan: PLANS[0], method: 'pm_decline_lost_card', region: 'US-NY', confirms: true }),
  buy({ plan: PLANS[0], method: BANK, region: 'DE', confirms: false }),
  buyByAnother(
    { plan: PLANS[0], method: 'pm_ok', region: 'DE', confirms: true },
    { confirms: true },
  ),
  recover({ graceHours: 72, retryAfterHours: [7, 30] }),
  buy(triedWithout('DE')),
  wait(170),
  leaveCardOpen(NEWEST, BANK),
  wait(9),
  comeToBank(NEWEST, true),
  buy(triedWithout('US-NY')),
  wait(170),
  leaveCardOpen(NEWEST, BANK),
  comeToBank(NEWEST, false),
  leaveCardOpen(NEWEST, BANK),
  wait(27),
  comeToBank(NEWEST, true),
  leaveCardOpen(NEWEST, UNANSWERED),
  wait(50),
  buy(triedWithout('FR')),
  wait(170),
  // Less than a day of grace is left: access lasts longer.
  wait(50),
  leaveCardOpen(NEWEST, BANK),
  cancel(false, NEWEST),
  comeToBank(NEWEST, true),
];

/** The clock runs faster than the gateway decides about a change, another card and a renewal. */
const LIFE_OF_SECONDS: readonly Step[] = [
  recover({ graceHours: 240, retryAfterHours: [24, 72, 168, 240] }),
  buy(triedWithout('DE')),
  // After the first retry the second one is two days away.
  wait(7 * 24 + 24 + 2),
  recover({ graceHours: 72, retryAfterHours: [] }),
  wait(48),
  outrunChange(null, NEWEST),
  outrunChange(PLANS[2], NEWEST),
  buy({ plan: PLANS[0], method: 'pm_pending', region: 'US-NY', confirms: true }),
  outrunChange(PLANS[2], NEWEST),
  outrunRenewal(NEWEST),
  buy({ plan: PLANS[2], method: 'pm_pending', region: 'DE', confirms: true }),
  cancelPendingRenewal(NEWEST),
];

/**
 * Taxes change: an earlier due date is paid at the rate of then, however late; a change has that of its moment beside
 * it, and rates that were set ahead hold from their hour on.
 */
const LIFE_OF_TAXES: readonly Step[] = [
  recover({ graceHours: 240, retryAfterHours: [24, 72, 168, 240] }),
  buy(triedWithout('DE')),
  wait(170),
  setRates(RATES[3], null),
  changePlan(PLANS[2], false),
  buy(triedWithout('US-NY')),
  setRates(RATES[1], 100),
  setRates(RATES[2], 180),
  wait(170),
  setRates(RATES[0], null),
  wait(20),
  changeCard(),
  changePlan(PLANS[2], true),
  buy({ plan: PLANS[0], method: 'pm_decline_lost_card', region: 'DE', confirms: true }),
  wait(31 * 24),
];

/** Which declines are retried is as it was set at the first one, for each period anew. */
const LIFE_OF_DECLINES: readonly Step[] = [
  recover({ retryAfterHours: [7, 30], retriedDeclineClasses: ['authentication_required'] }),
  buy(triedWithout('DE')),
  buy({ plan: PLANS[3], method: BANK, region: 'FR', confirms: true }),
  wait(170),
  recover({ retryAfterHours: [7, 30], retriedDeclineClasses: ['soft'] }),
  wait(9),
  wait(50),
  buy(triedWithout('DE')),
  buy({ plan: PLANS[3], method: BANK, region: 'FR', confirms: true }),
  wait(170),
  wait(9),
];

/** Periods of every unit: trials in weeks and months, changes between them and counted anew, and more payments than a page has. */
const LIFE_OF_CALENDARS: readonly Step[] = [
  buy({ plan: PLANS[5], method: 'pm_ok', region: 'DE', confirms: true }),
  wait(8 * 24),
  changePlan(PLANS[6], false),
  wait(100),
  changePlan(PLANS[2], false),
  buy({ plan: PLANS[4], method: 'pm_ok', region: 'US-NY', confirms: true }),
  wait(100),
  changePlan(PLANS[5], false, { asShown: false }),
  wait(366 * 24),
  changePlan(PLANS[3], true),
  changePlan(PLANS[4], false),
  buy({ plan: PLANS[6], method: 'pm_renewal_declines', region: 'FR', confirms: true }),
  wait(2 * 380 * 24),
  buy({ plan: PLANS[7], method: 'pm_ok', region: 'DE', confirms: true }),
  wait(31),
  // Two years at a price become one and a part of another one.
  changePlan(PLANS[6], false),
  wait(50),
  changePlan(PLANS[4], false),
];

/** Unused time goes back at the rate that was paid, as long as its payment can bear that, or is not to be lost. */
const LIFE_OF_CREDITS: readonly Step[] = [
  buy({ plan: PLANS[7], method: 'pm_ok', region: 'US-NY', confirms: true }),
  wait(250),
  setRates(RATES[3], null),
  changePlan(PLANS[0], true, { unused: 'refund' }),
  changePlan(PLANS[4], true, { unused: 'refuse' }),
  changePlan(PLANS[4], true, { unused: 'refund', asShown: false }),
  buy({ plan: PLANS[7], method: 'pm_ok', region: 'DE', confirms: true }),
  dispute({ which: 0 }, 10),
  changePlan(PLANS[0], true, { unused: 'refund' }),
  closeDispute({ which: 0 }, true),
  refund({ which: 0 }, 10),
  changePlan(PLANS[0], true, { unused: 'refund' }),
  changePlan(PLANS[0], true, { unused: 'forfeit' }),
  // An open period is paid and given back by one payment.
  buy({ plan: PLANS[0], method: BANK, region: 'US-NY', confirms: true }),
  wait(750),
  changePlan(PLANS[5], true, { unused: 'refund' }),
];

/** The table of rules/lifecycle 1 and the changes that are allowed in each of its states, where no other life has them. */
const LIFE_OF_STATES: readonly Step[] = [
  buy({ plan: PLANS[3], method: 'pm_ok', region: 'FR', confirms: true }),
  // On trial a dearer plan costs nothing, and a canceled one is never charged.
  changePlan(PLANS[2], false),
  buy({ plan: PLANS[3], method: 'pm_ok', region: 'FR', confirms: true }),
  cancel(true),
  cancel(true),
  changePlan(PLANS[2], false),
  changeCard(),
  buy(triedWithout('DE')),
  wait(170),
  reactivate(),
  changePlan(PLANS[2], false),
  cancel(false, 2),
  cancel(true, 2),
  changeCard({ which: 2 }),
  buy({ plan: PLANS[0], method: 'pm_ok', region: 'FR', confirms: true }),
  leaveChangeOpen(PLANS[2], { which: NEWEST, mood: BANK }),
  cancel(true),
  comeToBank(NEWEST, true),
  reactivate(),
  changePlan(PLANS[2], false, { method: 'pm_decline_insufficient_funds' }),
  cancel(true),
  cancel(false),
  // Declined for good, and once: one pays by another card, and the other one by its retry.
  buy({ plan: PLANS[0], method: 'pm_renewal_declines', region: 'FR', confirms: true }),
  buy({ plan: PLANS[0], method: 'pm_renewal_declines_once', region: 'FR', confirms: true }),
  sell(PLANS[0], 'deprecate'),
  wait(31 * 24 + 2),
  changePlan(PLANS[1], false, { which: 1 }),
  wait(26),
  changeCard({ which: 1 }),
  loseGateway(NEWEST),
  cancel(false, 1),
  buy({ plan: PLANS[2], method: 'pm_renewal_declines', region: 'DE', confirms: true }),
  wait(31 * 24 + 2),
  // One charge is declined, and another one is open.
  cancel(true),
  changeCard({ which: 1 }),
  cancel(false, 1),
  buy({ plan: PLANS[2], method: 'pm_renewal_declines', region: 'FR', confirms: true }),
  wait(31 * 24 + 74),
];

/** Played before the random ones; the last ones in long runs alone. */
export const knownLives = ({ long }: { readonly long: boolean }) =>
  [
    LIFE_OF_PRICES,
    LIFE_AT_THE_BANK,
    LIFE_OF_CREDITS,
    LIFE_OF_STATES,
    ...(long
      ? [
          LIFE_OF_ENDS,
          LIFE_OF_CARDS,
          LIFE_OF_SECONDS,
          LIFE_OF_TAXES,
          LIFE_OF_DECLINES,
          LIFE_OF_CALENDARS,
        ]
      : []),
  ].map((life) => [[...life]] as [Step[]]);
