/** Commands on streams that their API has not read yet. */
import type { LedgerStore } from '#event-store';
import { median, progress } from './benchmark.js';
import type { CommandsSide } from './commands-side.js';
import { createSubscriptions } from './commands-tenant.js';
import { cancelEachOnce } from './http-commands.js';

const ROUNDS = 3;
const SECONDS = 1.5;
/** More than are canceled in a round: a second cancel of one would be refused. */
const SUBSCRIPTIONS_OF_EACH = 128;

/** @param store of the side. @returns commands a second, the median of the rounds. */
export async function measureFirstTouch(side: CommandsSide, store: LedgerStore): Promise<number> {
  const { api, tenant } = side;
  const rounds: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const subscriptionIds = await createSubscriptions(store, tenant.appId, SUBSCRIPTIONS_OF_EACH);
    const fresh = { ...tenant, subscriptionIds };
    rounds.push(await cancelEachOnce(String(api.ready['url']), fresh, SECONDS));
    progress(`first touch, round ${round}: ${rounds.at(-1)?.toFixed(0)}/s`);
  }
  return median(rounds);
}
