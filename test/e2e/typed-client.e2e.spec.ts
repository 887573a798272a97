import { beforeAll, describe, expect, it } from 'vitest';
import { useLedger } from '../support/fixture.js';
import { issuePlayerToken } from '../support/scenario.js';
import {
  accepted,
  reasonIn,
  type ReasonOf,
  type StorefrontClient,
  typedBackend,
  typedBearer,
  type TypedClient,
  typedStorefront,
} from '../support/typed-client.js';

const PLAYER = 'typed-1';
const ledger = useLedger();
let backend: TypedClient;
let operator: TypedClient;
let player: TypedClient;
let storefront: StorefrontClient;

beforeAll(async () => {
  const { demo, baseUrl } = ledger.standalone;
  backend = typedBackend(demo);
  storefront = typedStorefront(demo.storefrontUrl);
  operator = typedBearer(baseUrl, demo.operatorToken);
  player = typedBearer(baseUrl, await issuePlayerToken(ledger.backend, PLAYER));
});

/** Pays without the page, by the document of the storefront. */
async function pay(linkId: string, paymentMethod: string) {
  const call = { params: { path: { linkId } }, body: { paymentMethod } };
  const answered = await storefront.POST('/checkout/{linkId}/complete', call);
  const paid = accepted(answered);
  const token = answered.response.headers.get('x-consistency-token') ?? '';
  return {
    subscriptionId: 'subscriptionId' in paid ? paid.subscriptionId : undefined,
    orderId: 'orderId' in paid ? paid.orderId : undefined,
    headers: { 'x-consistency-token': token },
  };
}

describe('a client made of the document', () => {
  it('leads from a plan to a subscription that is canceled and taken back', async () => {
    const plan = accepted(
      await operator.POST('/manage/apps/{appId}/plans', {
        params: { path: { appId: ledger.appId } },
        body: {
          ...{ code: 'typed', name: 'Typed' },
          ...{ billingPeriodValue: '1', billingPeriodUnit: 'month' },
          prices: [{ currency: 'USD', amountCents: '999' }],
        },
      }),
    );
    const link = accepted(
      await backend.POST('/sdk/subscriptions/checkout-links', {
        body: { plan: { id: plan.id }, currency: 'USD', user: { id: PLAYER } },
      }),
    );
    const { subscriptionId = '', headers } = await pay(link.id, 'pm_ok');
    const path = { id: subscriptionId };
    const bought = accepted(
      await player.GET('/sdk/subscriptions/{id}', { params: { path }, headers }),
    );
    expect([bought.status, bought.plan_id]).toEqual(['active', plan.id]);

    const cancel = { params: { path }, body: { cancel_at_period_end: true } };
    const canceled = accepted(await player.POST('/sdk/subscriptions/{id}/cancel', cancel));
    expect([canceled.status, canceled.cancel_at_period_end]).toEqual(['canceled', true]);
    const again = accepted(
      await player.POST('/sdk/subscriptions/{id}/reactivate', { params: { path } }),
    );
    expect([again.status, again.canceled_at]).toEqual(['active', null]);

    const { payments, nextPageToken } = accepted(
      await player.GET('/sdk/subscriptions/{id}/payments', {
        params: { path, query: { limit: 1 } },
        headers,
      }),
    );
    expect(payments.map(({ amountCents }) => amountCents)).toEqual(['999']);
    expect(nextPageToken).toBe('');
  });

  it('opens the shop for a player, and sets what players see in it', async () => {
    const body = { user: { id: PLAYER }, language: 'de' };
    const { url } = accepted(await backend.POST('/sdk/server/webshop-links', { body }));
    expect(new URL(url).pathname).toMatch(/^\/shop\/enter\//);
    const path = { appId: ledger.appId };
    const { error } = await operator.POST('/manage/apps/{appId}/catalog/test', {
      params: { path },
      body: { playerId: PLAYER, language: 'de' },
    });
    const unset: ReasonOf<NonNullable<typeof error>> = 'CATALOG_NOT_CONFIGURED';
    expect(reasonIn(error)).toBe(unset);
    const campaigns = accepted(
      await operator.GET('/manage/apps/{appId}/loyalty-campaigns', { params: { path } }),
    );
    expect(campaigns.loyaltyCampaigns).toEqual([]);
  });

  it('knows the reasons of a refusal by their operation', async () => {
    const path = { id: 'sub_none' };
    const { error, response } = await player.POST('/sdk/subscriptions/{id}/reactivate', {
      params: { path },
    });
    // A reason that the operation does not have would not compile here.
    const missing: ReasonOf<NonNullable<typeof error>> = 'SUBSCRIPTION_NOT_FOUND';
    expect([response.status, reasonIn(error)]).toEqual([404, missing]);
  });
});
