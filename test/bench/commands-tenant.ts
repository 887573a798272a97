import { appAggregate } from '#domain/app';
import { subscriptionAggregate, type SubscriptionCommand } from '#domain/subscription';
import { createCommandExecutor, type CommandContext, type LedgerStore } from '#event-store';
import { readBucket } from '#domain/ids';
import { createSeal, newAppId, newId, newUuid, wallClock } from '#platform';
import { createAppSecrets } from '#tenancy';
import { loadingPersonalData } from '../support/personal-data.js';
import { progress } from './benchmark.js';

const PLAYER = '5f2a9c04d1e84b7796ab30c2d4e5f601';
export const IN_FLIGHT = 64;
/** Each connection has its own: a command never waits for another on the same stream. */
export const SUBSCRIPTIONS_A_CONNECTION = 32;

export interface CommandsTenant {
  readonly appId: string;
  readonly ingressSecret: string;
  readonly subscriptionIds: readonly string[];
}

/** An app and many active subscriptions, written as the events that they are. */
export async function createCommandsTenant(
  store: LedgerStore,
  masterKey: Buffer,
): Promise<CommandsTenant> {
  progress('writing subscriptions ...');
  await store.namespaces.open(1);
  const commands = createCommandExecutor(store);
  const seal = createSeal(masterKey);
  const secrets = createAppSecrets(seal);
  const now = wallClock.now();
  const appId = newAppId(now);
  const { sealed, shown } = await secrets.createFor(appId);
  const app = {
    appId,
    name: 'bench',
    environment: 'production',
    createdAt: now,
    ...sealed,
  } as const;
  const context: CommandContext = {
    appId,
    environment: 'production',
    actor: 'bench',
    correlationId: newUuid(),
    now,
  };
  await commands.execute(appAggregate, appId, { kind: 'CreateApp', app }, context);
  const personalData = loadingPersonalData(commands, seal);
  await personalData.seal({ ...context, player: PLAYER }, 'player-1', {});
  const subscriptionIds = await createSubscriptions(store, appId);
  return { appId, ingressSecret: shown.ingressSecret, subscriptionIds };
}

/** As many active subscriptions as the connections need. @returns their ids. */
async function createSubscriptions(store: LedgerStore, appId: string): Promise<string[]> {
  const commands = createCommandExecutor(store);
  const now = wallClock.now();
  const environment = 'production' as const;
  const context = { appId, environment, actor: 'bench', correlationId: newUuid(), now };
  const create = async (): Promise<string> => {
    const subscriptionId = newId('sub', now, readBucket(appId));
    const command = createSubscription(appId, subscriptionId);
    await commands.execute(subscriptionAggregate, subscriptionId, command, context);
    return subscriptionId;
  };
  const subscriptionIds: string[] = [];
  for (let n = 0; n < SUBSCRIPTIONS_A_CONNECTION; n += 1) {
    subscriptionIds.push(...(await Promise.all(Array.from({ length: IN_FLIGHT }, create))));
  }
  return subscriptionIds;
}

/** The command that begins one of them. */
export function createSubscription(appId: string, subscriptionId: string): SubscriptionCommand {
  const now = wallClock.now();
  return {
    kind: 'CreateSubscription',
    terms: subscriptionTerms(appId, subscriptionId),
    initialPayment: {
      paymentId: newId('pay', now, readBucket(subscriptionId)),
      paymentRevision: 1,
    },
    now,
  };
}

function subscriptionTerms(appId: string, subscriptionId: string) {
  return {
    subscriptionId,
    appId,
    player: PLAYER,
    planId: 'plan_bench',
    price: { amountMinor: '999', currency: 'USD' },
    period: { value: 1, unit: 'month' },
    trial: null,
    paymentMethod: 'pm_ok',
    checkoutLinkId: 'cl_bench',
    regionCode: 'US',
    personal: {},
  } as const;
}
