import { prorateMinor } from '../../money/index.js';
import type { SubscriptionEvent } from '../../subscription/index.js';
import { findRevenue } from '../accounts.js';
import { dayAt } from '../days.js';
import { type Schedule, unearned } from '../schedule.js';
import type { PaymentBooks } from './books.js';
import { defer } from './captured.js';
import { credit, type Leg, type PostedOn } from './legs.js';
import { takeFrom } from './returned.js';

type PlanChanged = Extract<SubscriptionEvent, { readonly type: 'subscription.plan_changed.v1' }>;

/** The subscription has ended: paid time that was not used is earned on that day. */
export function ended(_event: unknown, { schedules }: PaymentBooks, on: PostedOn): Leg[] {
  return [...schedules.values()].flatMap((schedule) =>
    earn(schedule, unearned(schedule, on.at), on),
  );
}

/**
 * A change that costs nothing: no payment has lines for it. The unused time pays for the time of the new plan, the part
 * that is lost is earned on that day, and the part that goes back waits for its refund.
 */
export function changed(
  { data }: PlanChanged,
  { schedules }: PaymentBooks,
  on: PostedOn,
  peers: readonly PaymentBooks[],
): Leg[] {
  const { unusedCredit, planId: plan, currentPeriodEnd } = data;
  if (unusedCredit === null || data.payment !== null || isInLines(data, peers)) return [];
  const [unused, used, forfeited] = [
    unusedCredit.unused,
    unusedCredit.used,
    unusedCredit.forfeited,
  ].map(({ amountMinor }) => BigInt(amountMinor)) as [bigint, bigint, bigint];
  const coversUntil = dayAt(currentPeriodEnd, on.policy.zone);
  return [...schedules.values()].flatMap((schedule) => {
    const rest = unearned(schedule, on.at);
    const lost = prorateMinor(rest, forfeited, unused);
    const moved = prorateMinor(rest, forfeited + used, unused) - lost;
    const { account } = schedule.origin;
    return [
      ...earn(schedule, lost, on),
      takeFrom(schedule, moved, on),
      defer(account, moved, { plan, coversFrom: on.at, coversUntil }),
    ];
  });
}

/** The change of a plan that pays an open period has its lines in that period's payment. */
function isInLines({ planId, priceLockedAt }: PlanChanged['data'], peers: readonly PaymentBooks[]) {
  return peers.some(
    ({ payment }) =>
      payment.status !== 'none' &&
      payment.lines.some(
        ({ kind, origin }) =>
          kind === 'proration_charge' &&
          origin?.planId === planId &&
          origin.lockedAt === priceLockedAt,
      ),
  );
}

function earn(schedule: Schedule, amountMinor: bigint, on: PostedOn): Leg[] {
  const { account, plan, itemClass } = schedule.origin;
  return [
    takeFrom(schedule, amountMinor, on),
    credit(findRevenue(account), amountMinor, { plan, itemClass }),
  ];
}
