import { describe, expect, it } from 'vitest';
import type { AppEvent } from '#domain/app';
import type { Document, DocumentReads } from '#projection-engine/define';
import { oldestFirst } from '#projection-engine/define';
import { apps, type MaybeListedApp } from './apps.projection.js';
import { projected } from './spec-support/recorded.js';

const CREATED = '2026-01-31T10:00:00.000Z';

function created(appId = 'id', createdAt = CREATED): AppEvent {
  return {
    type: 'app.created.v1',
    data: {
      ...{ appId, name: `Game ${appId}`, environment: 'test', createdAt },
      ...{ sealedIngressSecret: 'SECRET-1', sealedApiKey: 'SECRET-2' },
      ...{ sealedTokenKey: 'SECRET-3', sealedPseudonymKey: 'SECRET-4' },
      tokenPublicKey: { kty: 'OKP', x: 'SECRET-5' },
    },
  };
}

const issuer = () => ({
  issuer: 'https://id.example',
  ...{ jwksUrl: 'https://id.example/jwks.json', audience: 'gold-rush' },
});

const EVENTS: AppEvent[] = [
  created(),
  {
    type: 'app.ingress_secret_rotated.v1',
    data: { sealedIngressSecret: 'SECRET-6', oldExpiresAt: CREATED },
  },
  { type: 'app.segment_added.v1', data: { segmentId: 'vip', name: 'Very' } },
  { type: 'app.renamed.v1', data: { name: 'Gold Rush' } },
  {
    type: 'app.dunning_configured.v2',
    data: { graceHours: 72, retryAfterHours: [24], retriedDeclineClasses: ['soft'] },
  },
  {
    type: 'app.allowed_origins_configured.v1',
    data: { allowedOrigins: ['https://game.example'] },
  },
  { type: 'app.default_region_set.v1', data: { defaultRegionCode: 'DE' } },
  { type: 'app.lost_dispute_policy_set.v1', data: { onLostDispute: 'end' } },
  { type: 'app.seal_witness_set.v1', data: { sealWitness: true } },
  {
    type: 'app.gateway_configured.v1',
    data: {
      ...{ kind: 'stripe', secretKeyEnding: 'Zx9q' },
      ...{ sealedSecretKey: 'SECRET-7', sealedWebhookSecret: 'SECRET-8' },
    },
  },
  {
    type: 'app.catalog_configured.v1',
    data: {
      ...{ baseUrl: 'https://api.game.example', path: '/catalog' },
      ...{ apiKeyHeader: 'x-key', sealedApiKey: 'SECRET-9' },
    },
  },
  { type: 'app.catalog_key_resealed.v1', data: { sealedApiKey: 'SECRET-10' } },
  { type: 'app.token_issuer_configured.v1', data: { tokenIssuer: issuer() } },
];

describe('the read model of apps', () => {
  it('shows what an app was configured to, and has none of its secrets', () => {
    const app = projected(apps, EVENTS);
    expect(app).toEqual({
      ...{ status: 'created', appId: 'id', name: 'Gold Rush', environment: 'test' },
      createdAt: CREATED,
      segments: [
        { segmentId: 'default', name: 'Default' },
        { segmentId: 'vip', name: 'Very' },
      ],
      dunning: { graceHours: 72, retryAfterHours: [24], retriedDeclineClasses: ['soft'] },
      allowedOrigins: ['https://game.example'],
      defaultRegionCode: 'DE',
      onLostDispute: 'end',
      sealWitness: true,
      gateway: { kind: 'stripe', secretKeyEnding: 'Zx9q' },
      catalog: { baseUrl: 'https://api.game.example', path: '/catalog', apiKeyHeader: 'x-key' },
      tokenIssuer: issuer(),
    });
    expect(JSON.stringify(app)).not.toContain('SECRET');
  });

  it('lists apps oldest first, and nothing of a stream without an app', () => {
    expect(apps.indexes('id', { status: 'none' }, 0)).toEqual([]);
    const members = ['2026-01-31T10:00:00.000Z', '2025-01-01T00:00:00.000Z', '1970-01-01T00:00:00Z']
      .map((createdAt) => oldestFirst(['all'], createdAt, createdAt).member)
      .sort((a, b) => (a < b ? 1 : -1));
    expect(members.map((member) => member.slice(10, 14))).toEqual(['1970', '2025', '2026']);
  });
});

describe('the apps of an operator who is for some', () => {
  const documents = new Map(
    ['c', 'a', 'b', 'd'].map((id, day) => {
      const state = projected(apps, [created(id, `2026-01-0${day + 1}T00:00:00.000Z`)]);
      return [id, { state, revision: 0 } satisfies Document<MaybeListedApp>];
    }),
  );
  const queries = apps.queries({
    find: async (id: string) => documents.get(id),
  } as DocumentReads<MaybeListedApp>);

  it('are paged oldest first; what is not there is in no list, and nothing is twice', async () => {
    const pages: string[][] = [];
    let after: string | undefined;
    do {
      const page = await queries.listAmong(['a', 'gone', 'b', 'c', 'a'], { limit: 2, after });
      pages.push(page.documents.map(({ state }) => state.appId));
      after = page.nextAfter;
    } while (after !== undefined);
    expect(pages).toEqual([['c', 'a'], ['b']]);
  });

  it('differ from ids that are none', async () => {
    expect(await queries.has('a')).toBe(true);
    expect(await queries.has('gone')).toBe(false);
  });
});
