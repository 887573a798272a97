import { type ApiClient, backendClient, bearer, signature } from '../../support/api-client.js';
import {
  buy,
  checkoutLink,
  createPlan,
  issuePlayerToken,
  paymentLink,
  requireOk,
  seeing,
} from '../../support/scenario.js';
import type { Demo } from '../../support/standalone.js';
import { IMPORTED } from './finance-samples.js';
import type { CallerKind } from './operations.js';

/** A caller's credentials for the bytes of one body. */
export type Credentials = (body: Buffer) => readonly (readonly [string, string])[];

/** Over before any player pays, so that no purchase of the scene counts in it. */
export const LOYALTY_CAMPAIGN = {
  name: 'Winter',
  points: [{ currency: 'USD', perMajorUnit: '2.5' }],
  milestones: [
    { id: 'bronze', points: 20, rewards: [{ type: 'item', itemId: 'gems', quantity: 2 }] },
  ],
  ...{ from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z', delivery: 'none' },
};

/** An app with one of everything that a request can name. */
export interface AppScene {
  readonly appId: string;
  readonly planId: string;
  readonly planCode: string;
  /** Of a plan that its subscription can change to at once. */
  readonly dearerPlanId: string;
  readonly player: string;
  readonly subscriptionId: string;
  readonly paymentId: string;
  readonly orderId: string;
  readonly linkId: string;
  readonly disputeId: string;
  readonly endpointId: string;
  readonly tokenId: string;
  readonly campaignId: string;
  readonly credentials: Callers;
  /** Those of another app, to which nothing of this one exists. */
  readonly strangers: Callers;
}

type Callers = Readonly<Record<CallerKind, Credentials>>;

/**
 * The real objects of a ledger: requests name them, so that they get past the first check. Acts that would spoil the
 * other requests (the clock, plans' states, endpoints that do not answer) are done to `spare`; `shut` is the same with
 * the id of an app whose secrets were rotated: no valid signature is left.
 */
export interface Scene {
  readonly main: AppScene;
  readonly spare: AppScene;
  readonly shut: AppScene;
  /** Different in every scene of a ledger: codes of plans and ids of segments are taken once. */
  readonly tag: string;
  /** When the scene was made; the spare app's clock stands a little later. */
  readonly madeAt: Date;
}

export interface Apps {
  readonly main: Demo;
  readonly spare: Demo;
  readonly shutId: string;
  /** For all apps. */
  readonly operator: ApiClient;
  readonly allAppsToken: string;
}

/** Makes the apps beside the demo app. */
export async function makeApps(main: Demo, allAppsToken: string): Promise<Apps> {
  const { baseUrl, storefrontUrl } = main;
  const operator = bearer(baseUrl, allAppsToken);
  const post = async (path: string, body: unknown) =>
    requireOk(await operator.post(`/manage/apps${path}`, body)).body;
  const make = async (name: string): Promise<Demo> => {
    const { appId, ingressSecret, apiKey } = await post('', { name, environment: 'test' });
    const { token } = await post(`/${String(appId)}/operator-tokens`, { roles: ['admin'] });
    return {
      baseUrl,
      storefrontUrl,
      appId: String(appId),
      ingressSecret: String(ingressSecret),
      apiKey: String(apiKey),
      operatorToken: String(token),
    };
  };
  const spare = await make('Spare');
  for (const { appId } of [main, spare]) await setCatalog(operator, appId);
  const { appId: shutId } = await make('Shut');
  return { main, spare, shutId, operator, allAppsToken };
}

/** Nothing listens there: the error of a try of the catalog is a part of its answer. */
async function setCatalog(operator: ApiClient, appId: string): Promise<void> {
  const settings = { path: '/catalog', apiKeyHeader: 'x-catalog-key', apiKey: 'key-of-the-shop' };
  const catalog = { baseUrl: 'http://127.0.0.1:9', ...settings };
  requireOk(await operator.send('PATCH', `/manage/apps/${appId}`, { body: { catalog } }));
}

/** Makes new things in both apps. @param n counts the scenes of a ledger. */
export async function makeScene(apps: Apps, n: number): Promise<Scene> {
  const tag = `s${n}`;
  const [ofMain, ofSpare] = [
    await makeThings(apps.main, apps.operator, `${tag}-main`),
    await makeThings(apps.spare, apps.operator, `${tag}-spare`),
  ];
  const ids = await makeManaged(apps, ofSpare.paymentId);
  const operator: Credentials = () => [['authorization', `Bearer ${apps.allAppsToken}`]];
  const main = {
    ...ofMain,
    ...ids,
    credentials: { ...ofMain.credentials, operator },
    strangers: ofSpare.credentials,
  };
  const spare = {
    ...ofSpare,
    ...ids,
    credentials: { ...ofSpare.credentials, operator },
    strangers: ofMain.credentials,
  };
  const shut = { ...spare, appId: apps.shutId };
  return { main, spare, shut, tag, madeAt: new Date() };
}

/** Made in the spare app alone, of which there are many: an app has a bounded number of endpoints. */
async function makeManaged(
  { spare, operator }: Apps,
  paymentId: string,
): Promise<Pick<AppScene, 'disputeId' | 'endpointId' | 'tokenId' | 'campaignId'>> {
  const path = `/manage/apps/${spare.appId}`;
  const url = 'http://127.0.0.1:9/webhooks';
  const endpoint = await operator.post(`${path}/webhook-endpoints`, {
    url,
    eventTypes: ['payment.refunded'],
  });
  const viewer = await operator.post(`${path}/operator-tokens`, { roles: ['viewer'] });
  const dispute = await operator.post(`${path}/sandbox/disputes`, { paymentId, amountCents: '1' });
  const campaign = await operator.post(`${path}/loyalty-campaigns`, LOYALTY_CAMPAIGN);
  return {
    disputeId: String(requireOk(dispute).body['disputeId']),
    endpointId: String(requireOk(endpoint).body['id']),
    tokenId: String(requireOk(viewer).body['id']),
    campaignId: String(requireOk(campaign).body['id']),
  };
}

async function makeThings(
  demo: Demo,
  operator: ApiClient,
  tag: string,
): Promise<Omit<AppScene, 'strangers' | 'disputeId' | 'endpointId' | 'tokenId' | 'campaignId'>> {
  const backend = backendClient(demo);
  const { appId } = demo;
  const planCode = `gold-${tag}`;
  const player = `player-${tag}`;
  const planId = await createPlan(operator, appId, { code: planCode });
  const dearerPlanId = await createPlan(operator, appId, {
    code: `platinum-${tag}`,
    prices: [{ currency: 'USD', amountCents: '1999' }],
  });
  const { subscriptionId, token } = await buy(backend, { plan: planCode, player });
  const paid = await backend.get(`/sdk/subscriptions/${subscriptionId}/payments`, seeing(token));
  const [payment] = requireOk(paid).body['payments'] as { paymentId: string }[];
  const { id: linkId } = await checkoutLink(backend, { plan: planCode, player });
  const orderId = await buyItem(backend, player);
  requireOk(
    await operator.send('PUT', `/manage/apps/${appId}/price-sheet`, {
      body: `priceId,country,currency,amount\ngems,US,USD,9.99\ngems,DE,EUR,9.49\n${tag},US,USD,1.00\n`,
      headers: { 'content-type': 'text/csv' },
    }),
  );
  requireOk(
    await operator.send('POST', `/manage/apps/${appId}/finance/import/stripe`, {
      body: IMPORTED,
      headers: { 'content-type': 'text/csv' },
    }),
  );
  return {
    appId,
    planId,
    planCode,
    dearerPlanId,
    player,
    subscriptionId,
    linkId,
    orderId,
    paymentId: payment?.paymentId ?? '',
    credentials: createCallers(demo, await issuePlayerToken(backend, player)),
  };
}

/** @returns the id of its order. */
async function buyItem(backend: ApiClient, player: string): Promise<string> {
  const items = [{ id: 'sword', name: 'A sword', quantity: 1, price: '1.00' }];
  const { id } = await paymentLink(backend, { player, items });
  const paid = await backend.post(`/checkout/${id}/complete`, { paymentMethod: 'pm_ok' });
  return String(requireOk(paid).body['orderId']);
}

function createCallers(demo: Demo, playerToken: string): Callers {
  return {
    player: () => [['authorization', `Bearer ${playerToken}`]],
    operator: () => [['authorization', `Bearer ${demo.operatorToken}`]],
    apiKey: () => [['x-service-api-key', demo.apiKey]],
    signature: (body) => [['x-service-hmac-signature', signature(demo, body)]],
  };
}
