import { readBucket } from '#domain/ids';
import { subscriptionAggregate, type SubscriptionCommand } from '#domain/subscription';
import { forEachConcurrently, newId, wallClock } from '#platform';
import { WrittenLedger } from '../support/written-ledger.js';
import { progress } from './benchmark.js';
import type { Stage } from './stage.js';

export const IN_FLIGHT = 64;
/** Each connection has its own: a command never waits for another on the same stream. */
export const SUBSCRIPTIONS_A_CONNECTION = 32;

export interface CommandsTenant {
  readonly appId: string;
  readonly ingressSecret: string;
  /** The one who has all of the subscriptions. */
  readonly player: string;
  readonly subscriptionIds: readonly string[];
}

/** An app and as many active subscriptions as the connections need, written as the events that they are. */
export async function createCommandsTenant({ client, masterKey }: Stage): Promise<CommandsTenant> {
  progress('writing subscriptions ...');
  const ledger = new WrittenLedger(client, masterKey, 'production');
  const app = await ledger.createApp();
  const { player } = await ledger.registerPlayer(app.appId, 'player-1');
  const tenant = { ...app, player };
  const now = wallClock.now();
  const length = IN_FLIGHT * SUBSCRIPTIONS_A_CONNECTION;
  const subscriptionIds = Array.from({ length }, () => newId('sub', now, readBucket(app.appId)));
  await forEachConcurrently(subscriptionIds, IN_FLIGHT, async (id) => {
    const command = createSubscription(tenant, id);
    await ledger.commands.execute(subscriptionAggregate, id, command, ledger.context(app.appId));
  });
  return { ...tenant, subscriptionIds };
}

/** The command that begins one of them. */
export function createSubscription(
  { appId, player }: Pick<CommandsTenant, 'appId' | 'player'>,
  subscriptionId: string,
): SubscriptionCommand {
  const now = wallClock.now();
  return {
    kind: 'CreateSubscription',
    terms: {
      ...{ subscriptionId, appId, player, planId: 'plan_bench' },
      price: { amountMinor: '999', currency: 'USD' },
      period: { value: 1, unit: 'month' },
      ...{ trial: null, paymentMethod: 'pm_ok', checkoutLinkId: 'cl_bench' },
      ...{ regionCode: 'US', personal: {} },
    },
    initialPayment: {
      paymentId: newId('pay', now, readBucket(subscriptionId)),
      paymentRevision: 1,
    },
    now,
  };
}
