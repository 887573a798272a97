import { describe, expect, it } from 'vitest';
import type { AppCaller, CommandContexts } from '#nest';
import type { ReadModels } from '#projection-engine';
import type { DocumentReads, Projection } from '#projection-engine/define';
import { payments, plans, subscriptions } from '#projections';
import type { Players } from './commands/player-links.js';
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
import type { PersonalData } from '#tenancy';
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

const handlers = {
  subscriptions: new ListSubscriptionsHandler(readModels, tokens, personalData, {} as Players),
  payments: new ListSubscriptionPaymentsHandler(readModels, tokens, personalData),
  plans: new ListManagedPlansHandler(contexts, readModels, tokens),
};

type Page = { readonly limit: number; readonly pageToken?: string };

const lists: [string, { readonly version: number }, (page: Page) => Promise<unknown>][] = [
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
];

describe('a page token', () => {
  it.each(lists)(
    'of %s is refused where their read model has another version',
    async (_, projection, list) => {
      const first = JSON.stringify(await list({ limit: 2 }));
      const pageToken = /nextPageToken[\\":]+([\w-]+)/.exec(first)?.[1] ?? '';
      expect(JSON.stringify(await list({ limit: 2, pageToken }))).toBe(first);
      const { version } = projection;
      // As in a release that stores it in another form.
      Object.assign(projection, { version: version + 1 });
      try {
        await expect(list({ limit: 2, pageToken })).rejects.toMatchObject({
          reason: 'INVALID_FIELDS',
          fieldViolations: [{ field: 'pageToken' }],
        });
      } finally {
        Object.assign(projection, { version });
      }
    },
  );
});
