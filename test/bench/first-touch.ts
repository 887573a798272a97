/** Commands on streams that their API has not read yet. */
import type { LedgerStore } from '#event-store';
import { median, progress } from './benchmark.js';
import type { CommandsSide } from './commands-side.js';
import { createSubscriptions } from './commands-tenant.js';
import { cancelEachOnce } from './http-commands.js';

const ROUNDS = 3;
/** Before those that count: what reads a stream has hardly run until then, and compilers have not seen it. */
const WARM_UP_ROUNDS = 3;
const SECONDS = 1.5;
/** More than are canceled in a round: a second cancel of one would be refused. */
const SUBSCRIPTIONS_OF_EACH = 128;

/** @param store of the side. @returns commands a second, the median of the rounds. */
export async function measureFirstTouch(side: CommandsSide, store: LedgerStore): Promise<number> {
  const { api, tenant } = side;
  const rounds: number[] = [];
  for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round += 1) {
    const subscriptionIds = await createSubscriptions(store, tenant.appId, SUBSCRIPTIONS_OF_EACH);
    const fresh = { ...tenant, subscriptionIds };
    const perSecond = await cancelEachOnce(String(api.ready['url']), fresh, SECONDS);
    if (round > 0) rounds.push(perSecond);
    progress(`first touch, round ${round}: ${perSecond.toFixed(0)}/s`);
  }
  return median(rounds);
}
