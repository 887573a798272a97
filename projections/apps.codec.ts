import type { CatalogSettings, CreatedApp, TokenIssuer } from '#domain/app';
import {
  packInstant,
  type PackedInstant,
  type StateCodec,
  unpackInstant,
} from '#projection-engine/define';
import { codecForExisting, packChoice, unpackChoice } from './packed-values.js';

/** An app as lists show it. What is secret, sealed or not, stays in the event store. */
export type ListedApp = Pick<
  CreatedApp,
  | 'status'
  | 'appId'
  | 'name'
  | 'environment'
  | 'createdAt'
  | 'segments'
  | 'dunning'
  | 'onLostDispute'
  | 'allowedOrigins'
  | 'defaultRegionCode'
  | 'gateway'
  | 'tokenIssuer'
> & { readonly catalog: Omit<CatalogSettings, 'sealedApiKey'> | null };
export type MaybeListedApp = ListedApp | { readonly status: 'none' };

/** As they are numbered in stored documents. */
const ENVIRONMENTS = ['production', 'test'] as const;
const GATEWAYS = ['sandbox', 'stripe'] as const;
const LOST_DISPUTE_POLICIES = ['keep', 'end'] as const;

/** The values in their order. */
type Packed = readonly [
  name: string,
  environment: number,
  createdAt: PackedInstant,
  segments: readonly (readonly [segmentId: string, name: string])[],
  graceHours: number,
  retryAfterHours: readonly number[],
  allowedOrigins: readonly string[],
  retriedDeclineClasses: CreatedApp['dunning']['retriedDeclineClasses'],
  gateway: number,
  secretKeyEnding: string,
  /** Empty where there is none: what is null at the end is not stored. */
  catalog: readonly string[],
  defaultRegionCode: string,
  /** Empty where there is none, as above. */
  tokenIssuer: readonly string[],
  onLostDispute: number,
];

/** How apps are stored; nothing is kept of one that is not there. */
export const listedAppCodec: StateCodec<MaybeListedApp> = codecForExisting(packApp, unpackApp);

function packApp(app: ListedApp): Packed {
  return [
    app.name,
    packChoice(ENVIRONMENTS, app.environment),
    packInstant(app.createdAt, 0),
    app.segments.map(({ segmentId, name }) => [segmentId, name] as const),
    app.dunning.graceHours,
    app.dunning.retryAfterHours,
    app.allowedOrigins,
    app.dunning.retriedDeclineClasses,
    packChoice(GATEWAYS, app.gateway.kind),
    app.gateway.secretKeyEnding,
    app.catalog === null ? [] : [app.catalog.baseUrl, app.catalog.path, app.catalog.apiKeyHeader],
    app.defaultRegionCode,
    app.tokenIssuer === null ? [] : packIssuer(app.tokenIssuer),
    packChoice(LOST_DISPUTE_POLICIES, app.onLostDispute),
  ];
}

function unpackApp(packed: Packed, appId: string): ListedApp {
  const [name, environment, createdAt, segments, graceHours, retryAfterHours] = packed;
  const [, , , , , , allowedOrigins, retriedDeclineClasses, gateway, secretKeyEnding] = packed;
  const [, , , , , , , , , , catalog, defaultRegionCode, tokenIssuer, onLostDispute] = packed;
  const [baseUrl = '', path = '', apiKeyHeader = ''] = catalog;
  return {
    status: 'created',
    appId,
    name,
    environment: unpackChoice(ENVIRONMENTS, environment),
    createdAt: unpackInstant(createdAt, 0),
    segments: segments.map(([segmentId, segmentName]) => ({ segmentId, name: segmentName })),
    dunning: { graceHours, retryAfterHours, retriedDeclineClasses },
    allowedOrigins,
    defaultRegionCode,
    gateway: { kind: unpackChoice(GATEWAYS, gateway), secretKeyEnding },
    catalog: catalog.length === 0 ? null : { baseUrl, path, apiKeyHeader },
    tokenIssuer: unpackIssuer(tokenIssuer),
    onLostDispute: unpackChoice(LOST_DISPUTE_POLICIES, onLostDispute),
  };
}

function packIssuer({ issuer, jwksUrl, audience }: TokenIssuer): readonly string[] {
  return [issuer, jwksUrl, audience];
}

function unpackIssuer([
  issuer,
  jwksUrl = '',
  audience = '',
]: readonly string[]): TokenIssuer | null {
  return issuer === undefined ? null : { issuer, jwksUrl, audience };
}
