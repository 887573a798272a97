import { appAggregate } from '#domain/app';
import { readBucket } from '#domain/ids';
import { planAggregate } from '#domain/plan';
import { NO_BOUNDS } from '#domain/player-plans';
import { newId } from '#platform';
import { createAccessTokens } from '#tenancy';
import { WrittenLedger } from '../support/written-ledger.js';
import { writeHistories } from './histories.js';
import type { Stage } from './stage.js';

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
export async function createReadsTenant({ client, masterKey }: Stage): Promise<ReadsTenant> {
  const ledger = new WrittenLedger(client, masterKey, 'production');
  const { commands, secrets } = ledger;
  const { appId, ingressSecret } = await ledger.createApp();
  for (let number = 1; number <= PLANS; number += 1) {
    const context = ledger.context(appId);
    const plan = planTerms(appId, number, context.now);
    await commands.execute(planAggregate, plan.planId, { kind: 'CreatePlan', plan }, context);
  }
  const { state: app } = await commands.load(appAggregate, appId);
  if (app.status === 'none') throw new Error('the app was just created');
  const tokens = createAccessTokens(
    { find: async () => app, recall: () => app },
    secrets,
    async () => ({
      keys: [],
    }),
  );
  const { accessToken } = await tokens.issue(app, 'player-1', TOKEN_SECONDS);
  const onBuyer = async (player: string) => {
    await ledger.registerPlayer(appId, `player-${player.slice(0, 6)}`, player);
  };
  const history = { appId, payments: PAYMENTS, onBuyer };
  return {
    ...{ appId, ingressSecret, playerToken: accessToken },
    subscriptionIds: await writeHistories(client, SUBSCRIPTIONS, history),
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
