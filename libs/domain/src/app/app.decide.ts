import { deepEqual } from 'fast-equals';
import {
  accept,
  type AnyRejection,
  type Decision,
  defineAggregate,
  type FieldViolation,
  reject,
  rejectFields,
} from '../decider/index.js';
import { type DunningPolicy, retriesFitGrace } from '../dunning/index.js';
import type { Instant } from '../event/index.js';
import { decideBrand } from './app-brand.js';
import { decideCatalog, resealCatalogKey, type WantedCatalog } from './app-catalog.js';
import { decideGateway, type WantedGateway } from './app-gateway.js';
import type {
  AppCreated,
  AppEvent,
  Brand,
  IngressSecretRotated,
  LostDisputePolicy,
  TokenIssuer,
} from './app.events.js';
import { type App, type CreatedApp, evolveApp, type IngressSecret, noApp } from './app.state.js';

export type AppCommand =
  | { readonly kind: 'CreateApp'; readonly app: AppCreated['data'] }
  | { readonly kind: 'AddSegment'; readonly segmentId: string; readonly name: string }
  | {
      readonly kind: 'RotateIngressSecret';
      readonly secret: IngressSecretRotated['data'];
      readonly wallNow: Instant;
    }
  | {
      readonly kind: 'ResealSecrets';
      /** Sealed texts by those whose place they take; a text that is not named stays as it is. */
      readonly resealed: ReadonlyMap<string, string>;
    }
  | {
      readonly kind: 'ConfigureApp';
      readonly name?: string | undefined;
      readonly dunning?: DunningPolicy | undefined;
      readonly onLostDispute?: LostDisputePolicy | undefined;
      readonly allowedOrigins?: readonly string[] | undefined;
      /** Empty for none. */
      readonly defaultRegionCode?: string | undefined;
      readonly sealWitness?: boolean | undefined;
      readonly gateway?: WantedGateway | undefined;
      readonly catalog?: WantedCatalog | undefined;
      /** Null for none. */
      readonly tokenIssuer?: TokenIssuer | null | undefined;
    }
  | { readonly kind: 'SetBrand'; readonly brand: Brand };

export interface AppRejection extends AnyRejection {
  readonly code:
    | 'app/key_of_other_mode'
    | 'app/not_found'
    | 'app/retry_beyond_grace'
    | 'app/segment_exists'
    | 'app/too_many_ingress_secrets'
    | 'app/too_many_segments';
  readonly violations?: readonly FieldViolation[];
}

/** Segments travel in one stream and one answer: more than this many is a misuse. */
export const MAX_SEGMENTS = 200;

/** Decides for one app (rules/api 18). */
function decideApp(command: AppCommand, state: App): Decision<AppEvent, AppRejection> {
  if (command.kind === 'CreateApp') {
    return state.status === 'none'
      ? accept({ type: 'app.created.v1', data: command.app })
      : accept();
  }
  if (state.status === 'none') return reject('app/not_found');
  switch (command.kind) {
    case 'AddSegment':
      return addSegment(command, state);
    case 'RotateIngressSecret':
      return rotate(command, state);
    case 'ResealSecrets':
      return reseal(command, state);
    case 'ConfigureApp':
      return configure(command, state);
    case 'SetBrand':
      return accept(...decideBrand(command.brand, state.brand));
  }
}

function addSegment(
  { segmentId, name }: Extract<AppCommand, { kind: 'AddSegment' }>,
  state: CreatedApp,
): Decision<AppEvent, AppRejection> {
  if (state.segments.some((segment) => segment.segmentId === segmentId)) {
    return reject('app/segment_exists', segmentId);
  }
  if (state.segments.length >= MAX_SEGMENTS) return reject('app/too_many_segments');
  return accept({ type: 'app.segment_added.v1', data: { segmentId, name } });
}

/** Two are kept: while the former one is valid, it would be the one that gives way (rules/api 11). */
function rotate(
  { secret, wallNow }: Extract<AppCommand, { kind: 'RotateIngressSecret' }>,
  state: CreatedApp,
): Decision<AppEvent, AppRejection> {
  const endsFormer = secret.oldExpiresAt <= wallNow;
  const isKept = ({ expiresAt }: IngressSecret) => expiresAt !== null && wallNow < expiresAt;
  if (!endsFormer && state.ingressSecrets.some(isKept)) {
    return reject('app/too_many_ingress_secrets');
  }
  return accept({ type: 'app.ingress_secret_rotated.v1', data: secret });
}

/** A secret that was rotated meanwhile is not among those that were sealed anew, and stays. */
function reseal(
  { resealed }: Extract<AppCommand, { kind: 'ResealSecrets' }>,
  state: CreatedApp,
): Decision<AppEvent, AppRejection> {
  const renew = (sealed: string) => resealed.get(sealed) ?? sealed;
  const events: AppEvent[] = [...resealCatalogKey(resealed, state.catalog)];
  const { sealedSecretKey = '', sealedWebhookSecret = '' } = state.stripeKeys ?? {};
  if (resealed.has(sealedSecretKey) || resealed.has(sealedWebhookSecret)) {
    const data = {
      sealedSecretKey: renew(sealedSecretKey),
      sealedWebhookSecret: renew(sealedWebhookSecret),
    };
    events.push({ type: 'app.stripe_keys_resealed.v1', data });
  }
  if (!listSealedTexts(state).some((sealed) => resealed.has(sealed))) return accept(...events);
  const data = {
    sealedIngressSecrets: state.ingressSecrets.map(({ sealed }) => renew(sealed)),
    sealedApiKey: renew(state.sealedApiKey),
    sealedTokenKey: renew(state.sealedTokenKey),
    sealedPseudonymKey: renew(state.sealedPseudonymKey),
  };
  return accept({ type: 'app.secrets_resealed.v1', data }, ...events);
}

function listSealedTexts(state: CreatedApp): readonly string[] {
  const { ingressSecrets, sealedApiKey, sealedTokenKey, sealedPseudonymKey } = state;
  const keys = [sealedApiKey, sealedTokenKey, sealedPseudonymKey];
  return [...ingressSecrets.map(({ sealed }) => sealed), ...keys];
}

type ConfigureApp = Extract<AppCommand, { kind: 'ConfigureApp' }>;

function configure(
  { name, dunning, onLostDispute, gateway, catalog, ...others }: ConfigureApp,
  state: CreatedApp,
): Decision<AppEvent, AppRejection> {
  const violations = dunning === undefined ? [] : dunningViolations(dunning);
  if (violations.length > 0) return rejectFields('app/retry_beyond_grace', violations);
  const events: AppEvent[] = [];
  if (name !== undefined && name !== state.name) {
    events.push({ type: 'app.renamed.v1', data: { name } });
  }
  if (dunning !== undefined && !deepEqual(dunning, state.dunning)) {
    events.push({ type: 'app.dunning_configured.v2', data: dunning });
  }
  if (onLostDispute !== undefined && onLostDispute !== state.onLostDispute) {
    events.push({ type: 'app.lost_dispute_policy_set.v1', data: { onLostDispute } });
  }
  events.push(...decideCallers(others, state), ...decidePlainSettings(others, state));
  if (catalog !== undefined) events.push(...decideCatalog(catalog, state.catalog));
  if (gateway === undefined) return accept(...events);
  const decision = decideGateway(gateway, state);
  return decision.accepted ? accept(...events, ...decision.events) : decision;
}

/** Whose pages may call, and with whose tokens. */
function decideCallers(
  { allowedOrigins, tokenIssuer }: Pick<ConfigureApp, 'allowedOrigins' | 'tokenIssuer'>,
  state: CreatedApp,
): readonly AppEvent[] {
  const events: AppEvent[] = [];
  if (allowedOrigins !== undefined && !deepEqual(allowedOrigins, state.allowedOrigins)) {
    events.push({ type: 'app.allowed_origins_configured.v1', data: { allowedOrigins } });
  }
  if (tokenIssuer !== undefined && !deepEqual(tokenIssuer, state.tokenIssuer)) {
    events.push({ type: 'app.token_issuer_configured.v1', data: { tokenIssuer } });
  }
  return events;
}

/** The settings that stand for themselves. */
function decidePlainSettings(
  { defaultRegionCode, sealWitness }: Pick<ConfigureApp, 'defaultRegionCode' | 'sealWitness'>,
  state: CreatedApp,
): readonly AppEvent[] {
  const events: AppEvent[] = [];
  if (defaultRegionCode !== undefined && defaultRegionCode !== state.defaultRegionCode) {
    events.push({ type: 'app.default_region_set.v1', data: { defaultRegionCode } });
  }
  if (sealWitness !== undefined && sealWitness !== state.sealWitness) {
    events.push({ type: 'app.seal_witness_set.v1', data: { sealWitness } });
  }
  return events;
}

/** A retry after access has ended would never be made (rules/api 8). */
export function dunningViolations(
  dunning: Pick<DunningPolicy, 'graceHours' | 'retryAfterHours'>,
): FieldViolation[] {
  if (retriesFitGrace(dunning)) return [];
  const description = `must hold hours up to graceHours, which is ${dunning.graceHours}`;
  return [{ field: 'dunning.retryAfterHours', description }];
}

export const appAggregate = defineAggregate('app', {
  initialState: noApp,
  evolve: evolveApp,
  decide: decideApp,
});
