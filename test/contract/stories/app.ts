import { appAggregate } from '#domain/app';
import { play } from '../../support/play.js';

/** An app that was configured in every way, with a secret that was rotated. */
export const app = play(
  appAggregate.decider,
  {
    kind: 'CreateApp',
    app: {
      ...{ appId: 'app_01gold', name: 'Gold Rush', environment: 'test' },
      ...{ sealedIngressSecret: 'sealed-1', sealedApiKey: 'sealed-2', sealedTokenKey: 'sealed-3' },
      sealedPseudonymKey: 'sealed-4',
      tokenPublicKey: { kty: 'OKP', crv: 'Ed25519', x: 'public' },
      createdAt: '2027-01-31T10:00:00.000Z',
    },
  },
  { kind: 'AddSegment', segmentId: 'vip', name: 'Very important players' },
  {
    kind: 'RotateIngressSecret',
    secret: { sealedIngressSecret: 'sealed-5', oldExpiresAt: '2027-02-01T10:00:00.000Z' },
    wallNow: '2027-01-31T10:00:00.000Z',
  },
  {
    kind: 'ConfigureApp',
    name: 'Gold Rush II',
    dunning: {
      ...{ graceHours: 72, retryAfterHours: [24, 72] },
      retriedDeclineClasses: ['soft', 'unknown'],
    },
    onLostDispute: 'end',
    sealWitness: true,
    allowedOrigins: ['https://game.example'],
    defaultRegionCode: 'DE',
    tokenIssuer: {
      issuer: 'https://id.game.example/',
      jwksUrl: 'https://id.game.example/.well-known/jwks.json',
      audience: 'gold-rush',
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
    kind: 'ConfigureApp',
    catalog: {
      ...{ baseUrl: 'https://api.game.example', path: '/catalog', apiKeyHeader: 'x-shop-key' },
      ...{ sealedApiKey: 'v3.sealed.catalog.key', isKeyKept: false },
    },
  },
);
