import type { DomainEvent, Instant, Position } from '../event/index.js';

/** Any 2xx is success, but for endpoints that are set to accept only 200 (rules/webhooks 6). */
export const ACCEPTED_ANSWERS = ['2xx', '200'] as const;
export type AcceptedAnswers = (typeof ACCEPTED_ANSWERS)[number];

/** The settings that a merchant can change (rules/webhooks 7). */
export interface WebhookEndpointSettings {
  readonly url: string;
  /** Event types and wildcards: `*`, `subscription.*`, `payment.failed`. */
  readonly eventTypes: readonly string[];
  readonly accept: AcceptedAnswers;
  /** The merchant's own words; empty where there are none. */
  readonly description: string;
  /** How many attempts begin in a second at most; null: no bound of the merchant's. */
  readonly maxPerSecond: number | null;
}

/** The address of an app's webhooks (rules/webhooks 7). The signing secret stands in events sealed only. */
export type WebhookEndpointCreated = DomainEvent<
  'webhook_endpoint.created.v2',
  WebhookEndpointSettings & {
    readonly endpointId: string;
    readonly appId: string;
    readonly sealedSecret: string;
    readonly createdAt: Instant;
  }
>;
/** Holds the settings that have changed, and no others. */
type WebhookEndpointChanged = DomainEvent<
  'webhook_endpoint.changed.v1',
  Partial<WebhookEndpointSettings> & { readonly changedAt: Instant }
>;

/** By an operator; by a 410; by days of nothing but failures (rules/webhooks 6). */
export type DisableReason = 'operator' | 'gone' | 'failing';
type WebhookEndpointDisabled = DomainEvent<
  'webhook_endpoint.disabled.v1',
  { readonly reason: DisableReason; readonly disabledAt: Instant }
>;
type WebhookEndpointEnabled = DomainEvent<
  'webhook_endpoint.enabled.v1',
  { readonly enabledAt: Instant }
>;
/**
 * The former secrets are valid until `oldExpiresAt` at the latest, and sign first until `useFrom`. All times are of the
 * wall clock.
 */
type WebhookEndpointSecretRotated = DomainEvent<
  'webhook_endpoint.secret_rotated.v1',
  {
    readonly sealedSecret: string;
    readonly rotatedAt: Instant;
    readonly useFrom: Instant;
    readonly oldExpiresAt: Instant;
  }
>;
/** The same secrets as before, newest first, sealed under another master key (rules/storage 13). */
type WebhookEndpointSecretResealed = DomainEvent<
  'webhook_endpoint.secret_resealed.v2',
  { readonly sealedSecrets: readonly string[] }
>;
type WebhookEndpointDeleted = DomainEvent<
  'webhook_endpoint.deleted.v1',
  { readonly deletedAt: Instant }
>;

/** A message that shows an example of its type. */
type WebhookEndpointTestRequested = DomainEvent<
  'webhook_endpoint.test_requested.v1',
  { readonly testId: string; readonly eventType: string; readonly requestedAt: Instant }
>;

/** One message, and the event that it is rendered from. */
export interface ResentMessage {
  readonly streamName: string;
  readonly revision: number;
  readonly messageId: string;
}
/** The messages that are asked for again. */
export interface Resend {
  /** Oldest event first. */
  readonly messages: readonly ResentMessage[];
  /** Of a time, after which position of the store the rest of it follows; null where nothing does. */
  readonly restAfter: Position | null;
}
/** At most `MAX_RESENT_MESSAGES` of them; `restAfter` stands in the last event of a request. */
export type WebhookEndpointResendRequested = DomainEvent<
  'webhook_endpoint.resend_requested.v1',
  Resend & { readonly requestedAt: Instant }
>;

export type WebhookEndpointEvent =
  | WebhookEndpointCreated
  | WebhookEndpointChanged
  | WebhookEndpointDisabled
  | WebhookEndpointEnabled
  | WebhookEndpointSecretRotated
  | WebhookEndpointSecretResealed
  | WebhookEndpointTestRequested
  | WebhookEndpointResendRequested
  | WebhookEndpointDeleted;

/** From endpoints without a description and a bound. */
export const WEBHOOK_ENDPOINT_UPCASTERS = [
  {
    from: 'webhook_endpoint.created.v1',
    to: 'webhook_endpoint.created.v2',
    upcast: (data: unknown): unknown => ({
      ...(data as object),
      description: '',
      maxPerSecond: null,
    }),
  },
];
