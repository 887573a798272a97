import { unknownEvent } from '../decider/index.js';
import { DEFAULT_DUNNING, type DunningPolicy } from '../dunning/index.js';
import type { Instant } from '../event/index.js';
import { type AppGateway, DEFAULT_GATEWAY, foldGateway } from './app-gateway.js';
import type {
  AppCreated,
  AppEvent,
  AppSecretsResealed,
  Brand,
  CatalogKey,
  CatalogSettings,
  LostDisputePolicy,
  StripeKeys,
  TokenIssuer,
} from './app.events.js';

/** An app starts with one segment (rules/api 17). */
export const DEFAULT_SEGMENT = 'default';

/** Pages of any origin may call in the name of their player, unless the app lists some (rules/http 8). */
const ANY_ORIGIN: readonly string[] = ['*'];

/** An ingress secret, sealed; the current one does not expire. */
export interface IngressSecret {
  readonly sealed: string;
  readonly expiresAt: Instant | null;
}

export interface CreatedApp extends Omit<AppCreated['data'], 'sealedIngressSecret'> {
  readonly status: 'created';
  /** Newest first; at most two are kept (rules/api 11). */
  readonly ingressSecrets: readonly IngressSecret[];
  readonly segments: readonly { readonly segmentId: string; readonly name: string }[];
  readonly dunning: DunningPolicy;
  /** The fate of a subscription when a dispute of one of its payments is lost. */
  readonly onLostDispute: LostDisputePolicy;
  /** Origins as browsers tell them; `*` is any. */
  readonly allowedOrigins: readonly string[];
  /** Where players are of whom nothing else is known, `DE` or `US-NY`; empty where that is nowhere. */
  readonly defaultRegionCode: string;
  /** Whether its endpoints may ask for the checkpoints of the whole ledger. */
  readonly sealWitness: boolean;
  /** The gateway that takes new payment methods. */
  readonly gateway: AppGateway;
  /** Of Stripe, if the app was ever set to it. */
  readonly stripeKeys: StripeKeys | null;
  /** The studio's catalog; null where it was never set. */
  readonly catalog: CatalogSettings | null;
  /** The issuer, beside the app itself, of its players' tokens; null for none. */
  readonly tokenIssuer: TokenIssuer | null;
  /** The studio's brand on pages for players; null where it was never set. */
  readonly brand: Brand | null;
}

export type App = { readonly status: 'none' } | CreatedApp;

export const noApp: App = { status: 'none' };

/** Folds one event of an app. */
export function evolveApp(state: App, event: AppEvent): App {
  if (event.type === 'app.created.v1') return state.status === 'none' ? created(event.data) : state;
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'app.segment_added.v1':
      return { ...state, segments: [...state.segments, event.data] };
    case 'app.ingress_secret_rotated.v1': {
      const newest = { sealed: event.data.sealedIngressSecret, expiresAt: null };
      const former = state.ingressSecrets
        .slice(0, 1)
        .map((secret) => ({ ...secret, expiresAt: event.data.oldExpiresAt }));
      return { ...state, ingressSecrets: [newest, ...former] };
    }
    case 'app.secrets_resealed.v1':
      return resealed(state, event.data);
    // Data and state have the same fields here.
    case 'app.renamed.v1':
    case 'app.allowed_origins_configured.v1':
    case 'app.default_region_set.v1':
    case 'app.lost_dispute_policy_set.v1':
    case 'app.seal_witness_set.v1':
    case 'app.token_issuer_configured.v1':
      return { ...state, ...event.data };
    case 'app.dunning_configured.v2':
      return { ...state, dunning: event.data };
    default:
      return evolveServices(state, event);
  }
}

/** Folds the services that an app calls, and its brand. */
function evolveServices(
  state: CreatedApp,
  event: Extract<AppEvent, { type: `app.${'gateway' | 'stripe' | 'catalog' | 'brand'}_${string}` }>,
): CreatedApp {
  switch (event.type) {
    case 'app.gateway_configured.v1':
      return { ...state, ...foldGateway(event.data, state) };
    case 'app.stripe_keys_resealed.v1':
      return { ...state, stripeKeys: event.data };
    case 'app.catalog_configured.v1':
      return { ...state, catalog: event.data };
    case 'app.catalog_key_resealed.v1':
      return { ...state, catalog: withKey(state.catalog, event.data) };
    case 'app.brand_set.v1':
      return { ...state, brand: event.data };
    default:
      return unknownEvent(state, event);
  }
}

function withKey(catalog: CatalogSettings | null, key: CatalogKey): CatalogSettings | null {
  return catalog && { ...catalog, ...key };
}

function resealed(
  state: CreatedApp,
  { sealedIngressSecrets, ...keys }: AppSecretsResealed['data'],
): CreatedApp {
  const ingressSecrets = state.ingressSecrets.map((secret, index) => ({
    ...secret,
    sealed: sealedIngressSecrets[index] ?? secret.sealed,
  }));
  return { ...state, ...keys, ingressSecrets };
}

function created({ sealedIngressSecret, ...rest }: AppCreated['data']): CreatedApp {
  return {
    ...rest,
    status: 'created',
    ingressSecrets: [{ sealed: sealedIngressSecret, expiresAt: null }],
    segments: [{ segmentId: DEFAULT_SEGMENT, name: 'Default' }],
    dunning: DEFAULT_DUNNING,
    onLostDispute: 'keep',
    allowedOrigins: ANY_ORIGIN,
    defaultRegionCode: '',
    sealWitness: false,
    gateway: DEFAULT_GATEWAY,
    stripeKeys: null,
    catalog: null,
    tokenIssuer: null,
    brand: null,
  };
}
