import { DAY_MS } from './model-dates.js';
import { findPaymentId, type RealSubscription } from './step.js';

/** The clock ticks on by itself: the lines of a change say when it was, or the end of a period that began with it. */
export async function findChangeTime(
  { player, subscriptionId }: Omit<RealSubscription, 'market'>,
  begins: boolean,
): Promise<number> {
  const newest = await findPaymentId({ player, subscriptionId }, 0);
  // On trial nothing is paid for it, and nothing follows from when it was.
  if (newest !== 'undefined') {
    const { lines } = await player.read(`/sdk/server/payments/${newest}`);
    // The answer is the API's own to this path.
    const all = lines as { kind: string; covers: { start: string } }[];
    const change = all.find(({ kind }) => kind === 'proration_charge');
    const at = change === undefined ? 0 : Date.parse(change.covers.start);
    if (at >= player.clockAt) return at;
  }
  if (!begins) return player.clockAt;
  const { current_period_end: end } = await player.read(`/sdk/subscriptions/${subscriptionId}`);
  return dayBefore(Date.parse(String(end)), player.clockAt);
}

/** The moment soon after another one from which periods end at an instant: at the same time of the day. */
function dayBefore(end: number, soonAfter: number): number {
  const at = soonAfter - (soonAfter % DAY_MS) + (end % DAY_MS);
  return at < soonAfter ? at + DAY_MS : at;
}
