import { unknownEvent } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import type {
  DisableReason,
  WebhookEndpointEvent,
  WebhookEndpointSettings,
} from './webhook-endpoint.events.js';

/** A signing secret, sealed; the newest one does not expire. */
export interface EndpointSecret {
  readonly sealed: string;
  /** Until then a former one signs first; empty for the first one. Both times are by the wall clock. */
  readonly useFrom: Instant;
  readonly expiresAt: Instant | null;
}

export interface CreatedWebhookEndpoint extends WebhookEndpointSettings {
  readonly status: 'enabled' | 'disabled' | 'deleted';
  readonly endpointId: string;
  readonly appId: string;
  readonly createdAt: Instant;
  /** Newest first: those that were valid when the last one was made. */
  readonly secrets: readonly EndpointSecret[];
  /** When the newest secret was made, by the wall clock; empty for the first one. */
  readonly rotatedAt: Instant;
  /** When it was created or enabled last. */
  readonly enabledAt: Instant;
  /** When it was created or changed last. */
  readonly changedAt: Instant;
  /** Null while it is enabled. */
  readonly disabled: { readonly reason: DisableReason; readonly disabledAt: Instant } | null;
}

export type WebhookEndpoint = { readonly status: 'none' } | CreatedWebhookEndpoint;

export const noWebhookEndpoint: WebhookEndpoint = { status: 'none' };

/** Whether the endpoint is there: created, and not deleted. A disabled one is. */
export function isRunning(state: WebhookEndpoint): state is CreatedWebhookEndpoint & {
  readonly status: 'enabled' | 'disabled';
} {
  return state.status === 'enabled' || state.status === 'disabled';
}

/** The secrets that are valid at this instant of the wall clock, newest first (rules/webhooks 4). */
export function validSecrets<Secret extends EndpointSecret>(
  secrets: readonly Secret[],
  wallNow: Instant,
): readonly Secret[] {
  return secrets.filter(({ expiresAt }) => expiresAt === null || wallNow < expiresAt);
}

/**
 * The same in the order in which their signatures are sent: those that are in use, newest first, then those that are
 * used from later on. Some receivers look at the first signature alone (rules/webhooks 4).
 */
export function signingSecrets<Secret extends EndpointSecret>(
  secrets: readonly Secret[],
  wallNow: Instant,
): readonly Secret[] {
  const valid = validSecrets(secrets, wallNow);
  const isUsed = ({ useFrom }: Secret) => useFrom <= wallNow;
  return [...valid.filter(isUsed), ...valid.filter((secret) => !isUsed(secret))];
}

/** Folds one event of an endpoint. */
export function evolveWebhookEndpoint(
  state: WebhookEndpoint,
  event: WebhookEndpointEvent,
): WebhookEndpoint {
  if (event.type === 'webhook_endpoint.created.v2') {
    return state.status === 'none' ? created(event.data) : state;
  }
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'webhook_endpoint.changed.v1': {
      const { changedAt, ...settings } = event.data;
      return { ...state, ...settings, changedAt };
    }
    case 'webhook_endpoint.disabled.v1':
      return disabled(state, event.data);
    case 'webhook_endpoint.enabled.v1':
      return enabled(state, event.data.enabledAt);
    case 'webhook_endpoint.secret_rotated.v1':
      return rotated(state, event.data);
    case 'webhook_endpoint.secret_resealed.v2':
      return resealed(state, event.data.sealedSecrets);
    case 'webhook_endpoint.deleted.v1':
      return { ...state, status: 'deleted' };
    case 'webhook_endpoint.test_requested.v1':
    case 'webhook_endpoint.resend_requested.v1':
      return state;
    default:
      return unknownEvent(state, event);
  }
}

type DataOf<Type> = Extract<WebhookEndpointEvent, { readonly type: Type }>['data'];

function created({
  sealedSecret,
  ...data
}: DataOf<'webhook_endpoint.created.v2'>): CreatedWebhookEndpoint {
  return {
    ...data,
    status: 'enabled',
    secrets: [{ sealed: sealedSecret, useFrom: '', expiresAt: null }],
    rotatedAt: '',
    enabledAt: data.createdAt,
    changedAt: data.createdAt,
    disabled: null,
  };
}

function disabled(
  state: CreatedWebhookEndpoint,
  { reason, disabledAt }: DataOf<'webhook_endpoint.disabled.v1'>,
): CreatedWebhookEndpoint {
  if (state.status === 'deleted') return state;
  return { ...state, status: 'disabled', disabled: { reason, disabledAt } };
}

function enabled(state: CreatedWebhookEndpoint, enabledAt: Instant): CreatedWebhookEndpoint {
  if (state.status === 'deleted') return state;
  return { ...state, status: 'enabled', disabled: null, enabledAt };
}

/** The newest rotation bounds the life of all former secrets, so that it ends a leaked one. */
function rotated(
  state: CreatedWebhookEndpoint,
  { sealedSecret, rotatedAt, useFrom, oldExpiresAt }: DataOf<'webhook_endpoint.secret_rotated.v1'>,
): CreatedWebhookEndpoint {
  const former = state.secrets.map(({ expiresAt, ...secret }) => ({
    ...secret,
    expiresAt: expiresAt === null || oldExpiresAt < expiresAt ? oldExpiresAt : expiresAt,
  }));
  const newest = { sealed: sealedSecret, useFrom, expiresAt: null };
  return { ...state, secrets: [newest, ...validSecrets(former, rotatedAt)], rotatedAt };
}

function resealed(
  state: CreatedWebhookEndpoint,
  sealedSecrets: readonly string[],
): CreatedWebhookEndpoint {
  const secrets = state.secrets.map((secret, index) => ({
    ...secret,
    sealed: sealedSecrets[index] ?? secret.sealed,
  }));
  return { ...state, secrets };
}
