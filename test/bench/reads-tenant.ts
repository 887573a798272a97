import { appAggregate, evolveApp, noApp } from '#domain/app';
import { readBucket } from '#domain/ids';
import { planAggregate } from '#domain/plan';
import { NO_BOUNDS } from '#domain/player-plans';
import { createCommandExecutor, type CommandContext, type LedgerStore } from '#event-store';
import { createSeal, newAppId, newId, newUuid, wallClock } from '#platform';
import { createAccessTokens, createAppSecrets } from '#tenancy';
import { loadingPersonalData } from '../support/personal-data.js';
import { writeHistories } from './histories.js';

/** As many as one page shows, and some more behind it. */
const PAYMENTS = 60;
/** Each is read in its turn: no one document is always the one. */
const SUBSCRIPTIONS = 64;
const PLANS = 20;
const TOKEN_SECONDS = 3600;

/** An app with plans and subscriptions that were paid for years, and its callers' credentials. */
export interface ReadsTenant {
  readonly appId: string;
  readonly ingressSecret: string;
  readonly playerToken: string;
  readonly subscriptionIds: readonly string[];
}

/** Writes the tenant as the events that it is. */
export async function createReadsTenant(
  store: LedgerStore,
  masterKey: Buffer,
): Promise<ReadsTenant> {
  await store.namespaces.open(1);
  const commands = createCommandExecutor(store);
  const seal = createSeal(masterKey);
  const secrets = createAppSecrets(seal);
  const now = wallClock.now();
  const appId = newAppId(now);
  const { sealed, shown } = await secrets.createFor(appId);
  const environment = 'production';
  const app = { appId, name: 'bench', environment, createdAt: now, ...sealed } as const;
  const context: CommandContext = {
    ...{ appId, environment, actor: 'bench', correlationId: newUuid(), now },
  };
  await commands.execute(appAggregate, appId, { kind: 'CreateApp', app }, context);
  for (let number = 1; number <= PLANS; number += 1) {
    const plan = planTerms(appId, number, now);
    await commands.execute(planAggregate, plan.planId, { kind: 'CreatePlan', plan }, context);
  }
  const created = evolveApp(noApp, { type: 'app.created.v1', data: app });
  if (created.status === 'none') throw new Error('the app was just created');
  const tokens = createAccessTokens(
    { find: async () => created, recall: () => created },
    secrets,
    async () => ({ keys: [] }),
  );
  const { accessToken } = await tokens.issue(created, 'player-1', TOKEN_SECONDS);
  const personalData = loadingPersonalData(commands, seal);
  const onBuyer = async (player: string) => {
    await personalData.seal({ ...context, player }, `player-${player.slice(0, 6)}`, {});
  };
  const history = { appId, payments: PAYMENTS, onBuyer };
  return {
    appId,
    ingressSecret: shown.ingressSecret,
    playerToken: accessToken,
    subscriptionIds: await writeHistories(store, SUBSCRIPTIONS, history),
  };
}

function planTerms(appId: string, number: number, createdAt: string) {
  return {
    planId: newId('plan', createdAt, readBucket(appId)),
    ...{ appId, segmentId: 'default', code: `pass-${number}`, name: `Season pass ${number}` },
    description: 'All rewards of a season, and a chest of gems with each month.',
    billingPeriod: { value: 1, unit: 'month' },
    prices: ['USD', 'EUR', 'GBP', 'JPY'].map((currency) => ({ amountMinor: '999', currency })),
    trial: { value: 7, unit: 'day' },
    benefitsJson: '{"gems":100,"chests":["gold","silver"]}',
    ...NO_BOUNDS,
    availableFrom: null,
    availableUntil: null,
    createdAt,
  } as const;
}
