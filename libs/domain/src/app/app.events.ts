import type { DunningPolicy } from '../dunning/index.js';
import type { Environment, DomainEvent, Instant } from '../event/index.js';

/** The app is the tenant: a studio's game (rules/api 17). Secrets stand in its events sealed only. */
export type AppCreated = DomainEvent<
  'app.created.v1',
  {
    readonly appId: string;
    readonly name: string;
    readonly environment: Environment;
    readonly sealedIngressSecret: string;
    readonly sealedApiKey: string;
    /** The key that signs players' access tokens: a private JWK (EdDSA), sealed, and its public half. */
    readonly sealedTokenKey: string;
    readonly tokenPublicKey: Readonly<Record<string, string>>;
    /** The key of its players' pseudonyms, sealed: made once and never rotated (rules/storage 6). */
    readonly sealedPseudonymKey: string;
    readonly createdAt: Instant;
  }
>;
export type SegmentAdded = DomainEvent<
  'app.segment_added.v1',
  { readonly segmentId: string; readonly name: string }
>;
/** Old secrets stay valid until `oldExpiresAt`, on the wall clock, so that one can be rotated. */
export type IngressSecretRotated = DomainEvent<
  'app.ingress_secret_rotated.v1',
  { readonly sealedIngressSecret: string; readonly oldExpiresAt: Instant }
>;
/** The same secrets as before, sealed under another master key (rules/storage 13). */
export type AppSecretsResealed = DomainEvent<
  'app.secrets_resealed.v1',
  {
    /** As many as there are, newest first. */
    readonly sealedIngressSecrets: readonly string[];
    readonly sealedApiKey: string;
    readonly sealedTokenKey: string;
    readonly sealedPseudonymKey: string;
  }
>;
export type AppRenamed = DomainEvent<'app.renamed.v1', { readonly name: string }>;
export type DunningConfigured = DomainEvent<'app.dunning_configured.v2', DunningPolicy>;
/** The origins whose pages may call the player's routes from a browser; `*` is any (rules/http 8). */
export type AllowedOriginsConfigured = DomainEvent<
  'app.allowed_origins_configured.v1',
  { readonly allowedOrigins: readonly string[] }
>;
/** The region of players of whom nothing else is known; empty for none (rules/storefront 10). */
export type DefaultRegionSet = DomainEvent<
  'app.default_region_set.v1',
  { readonly defaultRegionCode: string }
>;
/** Whether a subscription goes on, or ends at once, when a dispute of one of its payments is lost. */
export const LOST_DISPUTE_POLICIES = ['keep', 'end'] as const;
export type LostDisputePolicy = (typeof LOST_DISPUTE_POLICIES)[number];
/** The fate of subscriptions whose disputes are lost from then on (rules/lifecycle 12). */
export type LostDisputePolicySet = DomainEvent<
  'app.lost_dispute_policy_set.v1',
  { readonly onLostDispute: LostDisputePolicy }
>;
/** How an app is known at Stripe, sealed. */
export interface StripeKeys {
  readonly sealedSecretKey: string;
  readonly sealedWebhookSecret: string;
}
/** Whether endpoints of the app may ask for `ledger.sealed` from then on (rules/evidence 10). */
export type SealWitnessSet = DomainEvent<
  'app.seal_witness_set.v1',
  { readonly sealWitness: boolean }
>;
/** The gateway that takes new payment methods from then on (rules/stripe 8). */
export type GatewayConfigured = DomainEvent<
  'app.gateway_configured.v1',
  | { readonly kind: 'sandbox' }
  | (StripeKeys & {
      readonly kind: 'stripe';
      /** The key's last characters, by which an operator knows it. */
      readonly secretKeyEnding: string;
    })
>;
/** The same keys as before, sealed under another master key (rules/storage 13). */
export type StripeKeysResealed = DomainEvent<'app.stripe_keys_resealed.v1', StripeKeys>;
/** The studio's key of its catalog, sealed. */
export interface CatalogKey {
  readonly sealedApiKey: string;
}
/** The studio's backend that lists the items on sale for a player (rules/catalog 1). */
export interface CatalogSettings extends CatalogKey {
  readonly baseUrl: string;
  /** The path between the base and a player's id. */
  readonly path: string;
  /** The header that carries the key. */
  readonly apiKeyHeader: string;
}
/** The catalog that is asked from then on. */
export type CatalogConfigured = DomainEvent<'app.catalog_configured.v1', CatalogSettings>;
/** The same key as before, sealed under another master key (rules/storage 13). */
export type CatalogKeyResealed = DomainEvent<'app.catalog_key_resealed.v1', CatalogKey>;

/** The issuer, beside the app itself, of its players' tokens (rules/api 11). */
export interface TokenIssuer {
  /** The claim `iss` of its tokens. */
  readonly issuer: string;
  /** Where its keys are found, as a JWK Set. */
  readonly jwksUrl: string;
  /** The claim `aud` of its tokens. */
  readonly audience: string;
}
/** Whose tokens are good from then on beside the app's own; null for those of no other issuer. */
export type TokenIssuerConfigured = DomainEvent<
  'app.token_issuer_configured.v1',
  { readonly tokenIssuer: TokenIssuer | null }
>;

/** How a studio's game presents itself on pages for players. Texts that the studio did not give are absent. */
export interface Brand {
  readonly name: string;
  readonly logoUrl?: string;
  /** `#rrggbb`, in either case. */
  readonly accentColor?: string;
  readonly supportUrl?: string;
  readonly supportEmail?: string;
  readonly termsUrl?: string;
  readonly privacyUrl?: string;
}
/** The studio's whole brand from then on (rules/storefront 8). */
export type BrandSet = DomainEvent<'app.brand_set.v1', Brand>;

export type AppEvent =
  | AllowedOriginsConfigured
  | AppCreated
  | AppSecretsResealed
  | BrandSet
  | CatalogConfigured
  | CatalogKeyResealed
  | DefaultRegionSet
  | GatewayConfigured
  | StripeKeysResealed
  | SegmentAdded
  | IngressSecretRotated
  | LostDisputePolicySet
  | AppRenamed
  | SealWitnessSet
  | TokenIssuerConfigured
  | DunningConfigured;
