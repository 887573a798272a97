/**
 * A request for every operation that is accepted as it is, with every field of its body set: the base of the hostile
 * ones. Bodies are written by hand, since no schema knows the existing objects.
 */
import { buildFinanceBodies, listFinanceQueries, PAYOUT, ROW } from './finance-samples.js';
import type { Operation } from './operations.js';
import { ANY_NAME } from './places.js';
import { type AppScene, type Credentials, LOYALTY_CAMPAIGN, type Scene } from './scene.js';

/** A request before its credentials are made over the bytes of its body. */
export interface Draft {
  readonly operation: Operation;
  readonly app: AppScene;
  method: string;
  path: string;
  query: readonly (readonly [string, string])[];
  headers: readonly (readonly [string, string])[];
  credentials: Credentials;
  /** A JSON value, or the bytes themselves. */
  body: unknown;
}

/** @param unique is different for every draft of a scene: some things are created only once. */
export function buildSample(operation: Operation, scene: Scene, unique: string): Draft {
  const app = appFor(operation, scene);
  const { contentType } = operation.body ?? {};
  const values = sampleValues(app, scene);
  const [caller] = operation.callers;
  return {
    operation,
    app,
    method: operation.method,
    path: operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      String(values.path[`${operation.id}.${name}`] ?? values.path[name]),
    ),
    query: (values.query[operation.id] ?? []).map(([name, value]) => [
      name,
      encodeURIComponent(value),
    ]),
    headers: contentType === undefined ? [] : [['content-type', contentType]],
    credentials: caller === undefined ? () => [] : app.credentials[caller],
    body: contentType === undefined ? undefined : buildBody(operation, app, scene, unique),
  };
}

/** Objects that the other requests need are changed in apps that they do without. */
function appFor({ id }: Operation, { main, spare, shut }: Scene): AppScene {
  if (id === 'apps_rotateIngressSecret') return shut;
  const spoils =
    /^(apps_(update|addSegment)|testClock_advance|webhook(Endpoints|Deliveries|Status)_|loyalty_|operatorTokens_|sandbox_|managedPlans_(revise|archive|deprecate|activate))/;
  return spoils.test(id) ? spare : main;
}

function sampleValues(app: AppScene, scene: Scene) {
  return {
    path: {
      appId: app.appId,
      linkId: app.linkId,
      // One of little data.
      name: 'test-clocks',
      code: app.planCode,
      version: '1',
      'seal_consistency.from': '1',
      'seal_consistency.to': '1',
      id: app.subscriptionId,
      'managedPlans_byId.id': app.planId,
      'managedPlans_revise.id': app.planId,
      'managedPlans_archive.id': app.planId,
      'managedPlans_deprecate.id': app.planId,
      'managedPlans_activate.id': app.planId,
      'plans_byId.id': app.planId,
      'payments_byId.id': app.paymentId,
      'payments_refund.id': app.paymentId,
      'timelines_payment.id': app.paymentId,
      'timelines_refund.id': app.paymentId,
      'orders_byId.id': app.orderId,
      ...namesEndpoint(app.endpointId),
      'webhookDeliveries_list.id': app.endpointId,
      'operatorTokens_revoke.id': app.tokenId,
      'sandbox_close.id': app.disputeId,
      ...{ report: 'trial-balance', payoutId: PAYOUT, row: ROW, period: '2026-01' },
      'loyalty_byId.id': app.campaignId,
      'loyalty_revise.id': app.campaignId,
    } as Readonly<Record<string, string>>,
    query: {
      apps_list: [['limit', '2']],
      catalog_failures: [['limit', '2']],
      currencyChanges_preview: [
        ['from', 'USD'],
        ['to', 'EUR'],
        ['lockedPrices', 'replace'],
        ['limit', '2'],
      ],
      apps_segments: [['limit', '2']],
      ...listFinanceQueries(scene.madeAt, app.paymentId),
      operatorTokens_list: [['limit', '2']],
      managedPlans_list: [
        ['limit', '2'],
        ['segmentId', 'default'],
      ],
      plans_list: [
        ['status', 'active'],
        ['segmentId', 'default'],
      ],
      plans_byCode: [['segmentId', 'default']],
      priceSheet_list: [['limit', '2']],
      projections_verify: [['sample', '2']],
      priceSheet_explain: [
        ['priceId', 'gems'],
        ['country', 'DE'],
        ['rounding', 'hg'],
      ],
      subscriptions_list: [
        ['limit', '2'],
        ['externalAccountId', app.player],
        ['status', 'active'],
      ],
      subscriptions_payments: [['limit', '2']],
      taxRates_inForce: [['at', scene.madeAt.toISOString()]],
      taxRates_list: [['limit', '2']],
      webhookDeliveries_list: [
        ['limit', '2'],
        ['webhookId', 'msg_00000000-0000-5000-8000-000000000000'],
        ['type', 'payment.succeeded'],
        ['state', 'failing'],
        ['since', scene.madeAt.toISOString()],
        ['until', scene.madeAt.toISOString()],
      ],
      webhookEndpoints_list: [['limit', '2']],
      webhookStatus_list: [['limit', '2']],
      webhookStatus_failures: [
        ['limit', '2'],
        ['endpointId', app.endpointId],
      ],
    } as Readonly<Record<string, readonly (readonly [string, string])[]>>,
  };
}

/** The operations on one endpoint. */
const ENDPOINT_ACTS = [
  ...['byId', 'change', 'disable', 'enable', 'rotateSecret', 'test', 'resend', 'delete'],
];

function namesEndpoint(endpointId: string): Readonly<Record<string, string>> {
  return Object.fromEntries(ENDPOINT_ACTS.map((act) => [`webhookEndpoints_${act}.id`, endpointId]));
}

const DAY_MS = 86_400_000;
/** Every body is made anew: changes of one draft are not seen by another. */
function buildBody({ id, body }: Operation, app: AppScene, scene: Scene, unique: string): unknown {
  const at = (days: number) => new Date(scene.madeAt.getTime() + days * DAY_MS).toISOString();
  const terms = {
    name: 'Silver',
    description: 'A plan.',
    billingPeriodValue: '1',
    billingPeriodUnit: 'month',
    prices: [{ currency: 'USD', amountCents: '499' }],
    trialPeriodValue: '7',
    trialPeriodUnit: 'day',
    benefitsJson: '{"gems":100}',
    ...{ trialOncePerPlayer: true, onePerPlayer: true, exclusiveGroup: 'passes' },
    availableFrom: at(0),
    availableUntil: at(365),
  };
  const endpoint = {
    url: 'http://127.0.0.1:9/webhooks',
    eventTypes: ['payment.refunded'],
    accept: '2xx',
    description: 'Refunds',
    maxPerSecond: 10,
  };
  const bodies: Readonly<Record<string, unknown>> = {
    accessTokens_issue: { externalAccountId: app.player, expiresInSeconds: 600 },
    apps_create: { name: 'Another', environment: 'test' },
    apps_update: {
      name: 'Renamed',
      dunning: {
        ...{ graceHours: 48, retryAfterHours: [24, 48] },
        retriedDeclineClasses: ['soft', 'unknown'],
      },
      onLostDispute: 'end',
      sealWitness: false,
      allowedOrigins: ['https://game.example'],
      defaultRegionCode: 'DE',
      tokenIssuer: {
        ...{ issuer: 'https://id.game.example/', audience: 'game' },
        jwksUrl: 'http://127.0.0.1:9/jwks.json',
      },
      gateway: { kind: 'sandbox' },
      catalog: {
        ...{ baseUrl: 'http://127.0.0.1:9', path: '/catalog' },
        ...{ apiKeyHeader: 'x-catalog-key', apiKey: 'key-of-the-shop' },
      },
    },
    brand_set: {
      ...{ name: 'Dragons', logoUrl: 'https://game.example/logo.png', accentColor: '#c2410c' },
      ...{ supportUrl: 'https://game.example/help', supportEmail: 'help@game.example' },
      ...{ termsUrl: 'https://game.example/terms', privacyUrl: 'https://game.example/privacy' },
    },
    catalog_test: { playerId: app.player, language: 'de' },
    apps_rotateIngressSecret: { expireOldAfterSeconds: 0 },
    apps_addSegment: { segmentId: unique, name: 'A segment' },
    changeLinks_create: {
      plan: { id: app.dearerPlanId },
      amountCents: '100',
      restartPeriod: true,
      returnUrl: 'https://game.example/shop',
      language: 'de-AT',
      preview: false,
    },
    checkoutLinks_create: {
      plan: { code: app.planCode },
      currency: 'USD',
      user: { id: app.player },
      segmentId: 'default',
      regionCode: 'US-NY',
      language: 'de-AT',
      returnUrl: 'https://game.example/shop',
      referenceId: unique,
      metadata: { [ANY_NAME]: '7' },
    },
    orders_create: {
      transactionId: unique,
      items: [
        {
          ...{ id: 'sword', name: 'A sword', description: 'Sharp.', quantity: 2, price: '1.50' },
          ...{ image: 'https://game.example/sword.png', metadata: { [ANY_NAME]: '7' } },
        },
      ],
      currency: 'USD',
      user: { id: app.player, email: 'player@game.example' },
      regionCode: 'US-NY',
      returnUrl: 'https://game.example/shop',
      language: 'de-AT',
      metadata: { [ANY_NAME]: '7' },
    },
    webshopLinks_create: {
      user: { id: app.player, email: 'player@game.example' },
      ...{ language: 'de-AT', regionCode: 'US-NY' },
    },
    // No plan of the scene has a price in EUR: the subscriptions stay as the others need them.
    currencyChanges_change: {
      ...{ from: 'USD', to: 'EUR', lockedPrices: 'replace', limit: 2, pageToken: '' },
    },
    ...buildFinanceBodies(unique),
    managedPlans_create: { ...terms, code: unique, segmentId: 'default' },
    managedPlans_revise: terms,
    loyalty_create: LOYALTY_CAMPAIGN,
    loyalty_revise: LOYALTY_CAMPAIGN,
    operatorTokens_issue: { roles: ['viewer'], expiresInSeconds: 600 },
    payments_refund: { amountCents: '1' },
    projections_rebuildAll: { reason: 'a test', hold: true, maxPerSecond: 100 },
    projections_rebuild: { reason: 'a test', hold: true, maxPerSecond: 100 },
    projections_swap: { reason: 'a test', anyway: true },
    projections_rollBack: { reason: 'a test' },
    projections_drop: { reason: 'a test', generation: 2 },
    projections_pause: { reason: 'a test' },
    projections_resume: { reason: 'a test' },
    prices_convert: {
      sourceCurrency: 'USD',
      destinationCountry: 'DE',
      priceIds: ['gems', 'nothing'],
      rounding: 'hg',
    },
    priceSheet_upload: Buffer.from(
      `priceId,country,currency,amount\ngems,US,USD,9.99\ngems,DE,EUR,9.49\n${unique},US,USD,1.00\n`,
    ),
    region_change: { regionCode: 'DE', preview: true },
    sandbox_open: { paymentId: app.paymentId, amountCents: '1' },
    sandbox_close: { won: true },
    subscriptionCommands_cancel: { cancel_at_period_end: true },
    taxRates_set: {
      rates: [{ country: 'US', region: 'NY', rate: '0.19', inclusive: true }],
      effectiveFrom: at(1),
    },
    testClock_advance: { to: at(0.25) },
    timelines_refund: { amountCents: '1' },
    webhookEndpoints_create: endpoint,
    webhookEndpoints_change: endpoint,
    webhookEndpoints_rotateSecret: { expireOldAfterSeconds: 0, useFrom: at(-1) },
    webhookEndpoints_test: { eventType: 'payment.refunded' },
    webhookEndpoints_resend: { since: at(-1), until: at(0), types: ['payment.*'] },
  };
  const hasFields = Object.keys(body?.schema.properties ?? {}).length > 0;
  if (hasFields && !(id in bodies)) throw new Error(`${id} has no sample of its body: write one`);
  return bodies[id] ?? {};
}
