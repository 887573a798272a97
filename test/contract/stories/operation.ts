import { appAggregate } from '#domain/app';
import type { CatalogEvent } from '#domain/catalog';
import { endpointListAggregate } from '#domain/endpoint-list';
import { idempotencyKeyAggregate } from '#domain/idempotency-key';
import { operatorTokensAggregate } from '#domain/operator-tokens';
import { playerAggregate } from '#domain/player';
import { projectionAggregate } from '#domain/projection';
import { testClockAggregate } from '#domain/test-clock';
import { webhookEndpointAggregate } from '#domain/webhook-endpoint';
import { play } from '../../support/play.js';

/** Events of operators and of the service itself, as the deciders write them. */
const NOW = '2027-01-31T10:00:00.000Z';
const LATER = '2027-02-01T10:00:00.000Z';
const HALFWAY = '2027-01-31T22:00:00.000Z';
const appId = 'app_01gold';

export const app = play(
  appAggregate.decider,
  {
    kind: 'CreateApp',
    app: {
      appId,
      name: 'Gold Rush',
      environment: 'test',
      sealedIngressSecret: 'v1.sealed.ingress.secret',
      sealedApiKey: 'v1.sealed.api.key',
      sealedTokenKey: 'v1.sealed.token.key',
      sealedPseudonymKey: 'sealed-5',
      tokenPublicKey: { kty: 'OKP', crv: 'Ed25519', x: 'public' },
      createdAt: NOW,
    },
  },
  { kind: 'AddSegment', segmentId: 'eu', name: 'Europe' },
  {
    kind: 'RotateIngressSecret',
    secret: { sealedIngressSecret: 'v1.sealed.newer.secret', oldExpiresAt: LATER },
    wallNow: NOW,
  },
  {
    kind: 'ResealSecrets',
    resealed: new Map([
      ['v1.sealed.newer.secret', 'v3.sealed.newer.secret'],
      ['v1.sealed.ingress.secret', 'v3.sealed.ingress.secret'],
      ['v1.sealed.api.key', 'v3.sealed.api.key'],
      ['v1.sealed.token.key', 'v3.sealed.token.key'],
      ['sealed-5', 'v3.sealed.pseudonym.key'],
    ]),
  },
  {
    kind: 'ConfigureApp',
    name: 'Gold Rush II',
    dunning: {
      ...{ graceHours: 72, retryAfterHours: [12, 48] },
      retriedDeclineClasses: ['soft', 'unknown'],
    },
    onLostDispute: 'end',
    allowedOrigins: ['https://goldrush.example', 'http://localhost:3000'],
    defaultRegionCode: 'US-NY',
    sealWitness: true,
    tokenIssuer: {
      issuer: 'https://id.goldrush.example/',
      jwksUrl: 'https://id.goldrush.example/.well-known/jwks.json',
      audience: 'goldrush',
    },
  },
  {
    kind: 'ConfigureApp',
    gateway: {
      ...{ kind: 'stripe', isLive: false, areKept: false, secretKeyEnding: 'Zx9q' },
      ...{
        sealedSecretKey: 'v3.sealed.stripe.key',
        sealedWebhookSecret: 'v3.sealed.stripe.webhook',
      },
    },
  },
  {
    kind: 'ResealSecrets',
    resealed: new Map([['v3.sealed.stripe.key', 'v4.sealed.stripe.key']]),
  },
  {
    kind: 'ConfigureApp',
    catalog: {
      ...{ baseUrl: 'https://api.goldrush.example', path: '/shop/catalog' },
      ...{ apiKeyHeader: 'x-shop-key', sealedApiKey: 'v3.sealed.catalog.key', isKeyKept: false },
    },
  },
  {
    kind: 'SetBrand',
    brand: {
      ...{ name: 'Gold Rush', logoUrl: 'https://cdn.goldrush.example/logo.png' },
      ...{ accentColor: '#c2410c', supportUrl: 'https://goldrush.example/help' },
      ...{ supportEmail: 'help@goldrush.example', termsUrl: 'https://goldrush.example/terms' },
      privacyUrl: 'https://goldrush.example/privacy',
    },
  },
  {
    kind: 'ResealSecrets',
    resealed: new Map([['v3.sealed.catalog.key', 'v4.sealed.catalog.key']]),
  },
);

/** A call of which the shop's page showed the reference. */
export const catalogFailures = {
  events: [
    {
      type: 'catalog.call_failed.v1',
      data: {
        ...{ reference: 'K7QM-3XZP', reason: 'invalid_catalog', language: 'de' },
        violations: [
          { field: '$.rows[0].items[1].price.amount', description: 'must be a decimal string' },
        ],
        violationCount: 1,
      },
    } satisfies CatalogEvent,
  ],
};

export const creation = play(idempotencyKeyAggregate.decider, {
  kind: 'ReserveIdempotencyKey',
  id: 'plan_01gold',
  at: NOW,
});

export const operatorTokens = play(
  operatorTokensAggregate.decider,
  {
    kind: 'IssueOperatorToken',
    token: {
      tokenId: 'opt_01gold',
      name: 'finance',
      roles: ['viewer'],
      apps: [appId],
      issuedBy: 'operator:demo',
      issuedAt: NOW,
      expiresAt: LATER,
    },
  },
  {
    kind: 'RevokeOperatorToken',
    tokenId: 'opt_01gold',
    revokedBy: 'operator:demo',
    wallNow: '2027-01-31T22:00:00.000Z',
  },
);

const readModel = 'subscriptions.14.3f09ab';
const because = {
  readModel,
  reason: 'A faster index was added.',
  now: NOW,
  formerKeptMs: 86_400_000,
};
const judged = { kind: 'JudgeGeneration', checked: 1_000, findings: [] } as const;

export const projection = play(
  projectionAggregate.decider,
  { ...because, kind: 'RequestRebuild', hold: true, maxPerSecond: 5_000 },
  { ...because, kind: 'PauseRebuild' },
  { ...because, kind: 'ResumeRebuild' },
  {
    ...{ ...because, ...judged, generation: 2 },
    findings: ['1 of 1000 streams differs: subscription-sub_01gold'],
  },
  { ...because, kind: 'DropGeneration', generation: 2 },
  { ...because, kind: 'RequestRebuild', hold: false, maxPerSecond: null },
  { ...because, ...judged, generation: 3 },
  { ...because, kind: 'RollBackGeneration' },
);

export const testClock = play(
  testClockAggregate.decider,
  { kind: 'RequestAdvance', appId, to: LATER, wallNow: NOW },
  { kind: 'StepTestClock', to: HALFWAY, advance: { standsAt: NOW, target: LATER } },
  { kind: 'ReachTarget', wallNow: NOW, advance: { standsAt: HALFWAY, target: LATER } },
);

export const webhookEndpoint = play(
  webhookEndpointAggregate.decider,
  {
    kind: 'CreateWebhookEndpoint',
    endpoint: {
      endpointId: 'whe_01gold',
      appId,
      url: 'https://studio.example/webhooks',
      eventTypes: ['subscription.*', 'payment.failed'],
      accept: '2xx',
      description: 'Grants of the game server',
      maxPerSecond: 50,
      sealedSecret: 'v1.sealed.signing.secret',
      createdAt: NOW,
    },
  },
  {
    kind: 'ChangeWebhookEndpoint',
    changes: { url: 'https://studio.example/hooks', maxPerSecond: null },
    now: NOW,
  },
  { kind: 'DisableWebhookEndpoint', reason: 'operator', now: NOW },
  { kind: 'EnableWebhookEndpoint', now: LATER },
  {
    kind: 'RotateWebhookSecret',
    sealedSecret: 'v3.sealed.newer.secret',
    overlapMs: 86_400_000,
    useFrom: '2027-01-31T22:00:00.000Z',
    wallNow: NOW,
  },
  {
    kind: 'ResealSecrets',
    resealed: new Map([['v1.sealed.signing.secret', 'v3.sealed.signing.secret']]),
  },
  {
    kind: 'RequestTestMessage',
    testId: 'tst_01gold',
    eventType: 'subscription.created',
    now: LATER,
  },
  {
    kind: 'RequestResend',
    resend: {
      messages: [
        {
          streamName: 'subscription-sub_01gold',
          revision: 3,
          messageId: 'msg_0b0f5b8e-93f5-5a5e-8f0e-1f1a5f2f9c11',
        },
      ],
      restAfter: '00000000000000000042',
    },
    now: LATER,
  },
  { kind: 'DeleteWebhookEndpoint', now: LATER },
);

export const endpointList = play(
  endpointListAggregate.decider,
  { kind: 'ListEndpoints', endpointIds: ['whe_01gold', 'whe_02gold'], gone: [] },
  { kind: 'ListEndpoints', endpointIds: [], gone: ['whe_01gold'] },
);

/** A player is known, gets its key sealed anew, and is erased. */
export const player = play(
  playerAggregate.decider,
  {
    kind: 'RegisterPlayer',
    player: { sealedKey: 'v3.sealed.player.key', sealedAccountId: 'p1.sealed.account' },
    now: NOW,
  },
  { kind: 'ResealKey', former: 'v3.sealed.player.key', sealedKey: 'v3.resealed.player.key' },
  { kind: 'ErasePlayer', now: LATER },
);
