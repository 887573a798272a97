import { describe, expect, it } from 'vitest';
import type { AppCaller, CommandContexts, Ledger } from '#nest';
import type { ReadModels } from '#projection-engine';
import type { DocumentReads, Projection } from '#projection-engine/define';
import { apps, payments, plans, subscriptions } from '#projections';
import type { OperatorIdentity, PersonalData } from '#tenancy';
import type { Players } from './commands/player-links.js';
import { ListApps, ListAppsHandler } from './manage/apps/queries/read-apps.js';
import { CurrencyMoves } from './manage/currency-changes/currency-moves.js';
import type { EndpointStatuses } from './manage/webhook-status/endpoint-statuses.js';
import {
  ListWebhookStatus,
  ListWebhookStatusHandler,
} from './manage/webhook-status/queries/webhook-status.js';
import {
  ListManagedPlans,
  ListManagedPlansHandler,
} from './manage/plans/queries/list-managed-plans.js';
import {
  ListSubscriptionPayments,
  ListSubscriptionPaymentsHandler,
  ListSubscriptions,
  ListSubscriptionsHandler,
} from './subscriptions/queries/read-subscriptions.js';
import { createPageTokens } from './http/page-token.js';

const CALLER: AppCaller = { kind: 'app', appId: 'app_1' };
const CURSOR = '00mzjouv40one';

// The list calls these readers alone: one that goes on, of an existing subscription.
const reads = {
  find: async () => ({ revision: 0, state: { status: 'active', appId: 'app_1' } }),
  page: async () => ({ documents: [], nextAfter: CURSOR }),
} as unknown as DocumentReads<never>;
const readModels = {
  ask: (projection: Projection<never>) => projection.queries(reads),
} as unknown as ReadModels;
const contexts = { requireApp: async () => ({}) } as unknown as CommandContexts;
const tokens = createPageTokens(() => [Buffer.alloc(32, 1)]);

const personalData = { names: async () => ({ accountId: 'player-1' }) } as unknown as PersonalData;
const statuses = { find: async () => [] } as unknown as EndpointStatuses;
const operator = { apps: ['*'] } as unknown as OperatorIdentity;

const handlers = {
  subscriptions: new ListSubscriptionsHandler(readModels, tokens, personalData, {} as Players),
  payments: new ListSubscriptionPaymentsHandler(readModels, tokens, personalData),
  plans: new ListManagedPlansHandler(contexts, readModels, tokens),
  apps: new ListAppsHandler(readModels, tokens),
  statuses: new ListWebhookStatusHandler(readModels, tokens, statuses),
};
const moves = new CurrencyMoves({} as Ledger, readModels, tokens);

type Page = { readonly limit: number; readonly pageToken?: string };

type Numbered = { readonly version: number; readonly orderedSince?: number };

const lists: [string, Numbered, (page: Page) => Promise<unknown>][] = [
  [
    'subscriptions',
    subscriptions,
    (page) =>
      handlers.subscriptions.execute(new ListSubscriptions({ caller: CALLER, filters: page })),
  ],
  [
    'payments',
    payments,
    (page) =>
      handlers.payments.execute(
        new ListSubscriptionPayments({ id: 'sub_1', caller: CALLER, page }),
      ),
  ],
  [
    'plans',
    plans,
    (page) => handlers.plans.execute(new ListManagedPlans({ appId: 'app_1', filters: page })),
  ],
  ['apps', apps, (page) => handlers.apps.execute(new ListApps({ operator, page }))],
  [
    'statuses of endpoints',
    apps,
    (page) => handlers.statuses.execute(new ListWebhookStatus({ operator, page })),
  ],
  [
    'moves between currencies',
    subscriptions,
    (page) => moves.findPage('app_1', { from: 'BGN', to: 'EUR', lockedPrices: 'keep', ...page }),
  ],
];

describe('a page token', () => {
  it.each(lists)(
    'of %s goes on in other versions of its read model, as long as the order is the same',
    async (_, projection, list) => {
      const first = await list({ limit: 2 });
      const pageToken = readToken(first);
      const { version } = projection;
      // As in the release before, and in the next one, which store it in another form.
      for (const other of [version - 1, version, version + 1]) {
        const page = await withChange(projection, { version: other }, () =>
          list({ limit: 2, pageToken }),
        );
        expect(readToken(page)).toBe(pageToken);
      }
    },
  );

  it.each(lists)(
    'of %s is refused where they are in another order, and no place of it is made up',
    async (_, projection, list) => {
      const { orderedSince = 1 } = projection;
      const ofNow = readToken(await list({ limit: 2 }));
      const later = { orderedSince: orderedSince + 1 };
      const ofNext = readToken(await withChange(projection, later, () => list({ limit: 2 })));
      const changed = { status: 'ABORTED', reason: 'LIST_ORDER_CHANGED' };
      const goOn = withChange(projection, later, () => list({ limit: 2, pageToken: ofNow }));
      await expect(goOn).rejects.toMatchObject(changed);
      // As after a rollback.
      await expect(list({ limit: 2, pageToken: ofNext })).rejects.toMatchObject(changed);
    },
  );
});

function readToken(page: unknown): string {
  return /nextPageToken[\\":]+([\w-]+)/.exec(JSON.stringify(page))?.[1] ?? 'none';
}

/** As a release with another form of a projection does it. */
async function withChange<T>(
  projection: Numbered,
  change: Partial<Numbered>,
  act: () => Promise<T>,
): Promise<T> {
  const { version, orderedSince } = projection;
  Object.assign(projection, change);
  try {
    return await act();
  } finally {
    Object.assign(projection, { version, orderedSince });
  }
}
