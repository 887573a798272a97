import { eventually } from '../../support/eventually.js';
import { requireOk } from '../../support/scenario.js';
import { describeWish, changeCard } from './change-steps.js';
import { findChangeTime } from './change-time.js';
import { judgeChange } from './model-change.js';
import { dueAt } from './model-due.js';
import { type PENDING, UNANSWERED } from './model-gateway.js';
import { priceChange, decideAtBank, openChange } from './model-open.js';
import { statusName } from './model-payment.js';
import type { ModelSubscription, PLANS, WantedPlan } from './model.js';
import type { Player } from './player.js';
import {
  askForChange,
  findPaymentId,
  MOMENT_MS,
  onSubscription,
  type RealSubscription,
  type Step,
  untilStatus,
  whereFits,
} from './step.js';

type Plan = (typeof PLANS)[number];
/** Why a charge has no outcome. */
export const OPEN_MOODS = [UNANSWERED, 'pm_authentication_required'] as const;
export type OpenMood = (typeof OPEN_MOODS)[number] | typeof PENDING;

/** Where nothing is due, the method is not tried: the next renewal goes without an answer. */
export const loseGateway = (which: number): Step => {
  const step = changeCard({ which, method: UNANSWERED });
  return whereFits(step, which, ({ status, open }) => status === 'active' && open === null);
};

/** The subscription, the wish for it, and why there is no outcome. */
interface OpenWish {
  readonly which: number;
  readonly mood: OpenMood;
  readonly restarts?: boolean;
  readonly named?: number | null;
}

/** There is no outcome of a change for up to a day: its gateway does not answer, or the bank waits for the player. */
export const leaveChangeOpen = (
  sold: Plan,
  { which, mood, restarts = false, named = null }: OpenWish,
): Step => {
  const how = `${restarts ? ' anew' : ''}${named === null ? '' : ` for ${named}`}`;
  const step = onSubscription(
    `open change to ${sold.code}${how}, ${mood}`,
    which,
    async (model, real) => beginChange(model, real, sold, { mood, restarts, named }),
  );
  return whereFits(step, which, ({ open }) => open === null);
};

/** Has it open in both, where it can be had and costs something. */
export async function beginChange(
  model: ModelSubscription,
  real: RealSubscription,
  sold: Plan,
  { mood, restarts = false, named = null }: Omit<OpenWish, 'which'>,
): Promise<void> {
  const { player, market } = real;
  const wanted = market.offer(sold);
  const wish = { wanted, restarts, named, unused: 'forfeit' } as const;
  if (market.isClosed(wanted) || judgeChange(model, wish) !== 'at_once') return;
  if (!costs(model, wish, player.clockAt)) return;
  const link = requireOk(await askForChange(real, describeWish(wish))).body;
  const bankUrl = await leaveOpenAt(player, String(link['id']), mood);
  await untilAsked(model, real);
  const now = await findChangeTime(real, false);
  openChange(model, { ...wish, now, method: methodAfter(mood) }, bankUrl);
}

/** The method of the subscription once it is taken; one that no gateway answers never is. */
export const methodAfter = (mood: OpenMood) => (mood === UNANSWERED ? 'pm_ok' : mood);

/** Begins a payment that has no outcome then. @returns the bank's address, where it waits for the player. */
export async function leaveOpenAt(
  player: Player,
  linkId: string,
  mood: OpenMood,
): Promise<string | null> {
  if (mood === 'pm_authentication_required') return player.beginAtBank(linkId, mood);
  await player.beginPayment(linkId, mood);
  return null;
}

/** A change that costs nothing at its moment, a little later, is never open. */
function costs(model: ModelSubscription, wish: WantedPlan, from: number): boolean {
  const atMoments = [from, from + MOMENT_MS].map((now) => ({
    ...wish,
    now,
    method: 'pm_ok' as const,
  }));
  return atMoments.every((change) => priceChange(model, change) > 1);
}

/** The player comes back to the bank, in time or too late. */
export const comeToBank = (which: number, confirms: boolean): Step =>
  onSubscription(`${confirms ? 'confirm' : 'decline'} at the bank`, which, async (model, real) => {
    const at = model.payments.findIndex(({ bankUrl }) => bankUrl !== null);
    const payment = model.payments[at];
    if (payment?.bankUrl === null || payment?.bankUrl === undefined) return;
    // A charge that waits for it would come at a moment that only the clock knows.
    const after = structuredClone(model);
    decideAtBank(after, after.payments[at] ?? payment, confirms);
    if ((dueAt(after) ?? Infinity) <= real.player.clockAt) return;
    await real.player.decideAtBank(payment.bankUrl, confirms);
    decideAtBank(model, payment, confirms);
    await untilStatus(real, model.payments.length - 1 - at, statusName(payment));
  });

/** That a change has asked for a payment is seen a moment later. */
export async function untilAsked(
  { payments }: ModelSubscription,
  real: RealSubscription,
): Promise<void> {
  const isAsked = async () => (await findPaymentId(real, payments.length)) !== 'undefined';
  await eventually(isAsked, { what: `payment ${payments.length + 1} of ${real.subscriptionId}` });
}
