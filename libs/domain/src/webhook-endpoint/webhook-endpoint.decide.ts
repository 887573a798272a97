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
import { addMilliseconds, laterInstant } from '../calendar/index.js';
import type { Instant } from '../event/index.js';
import type {
  DisableReason,
  Resend,
  WebhookEndpointCreated,
  WebhookEndpointEvent,
  WebhookEndpointResendRequested,
  WebhookEndpointSettings,
} from './webhook-endpoint.events.js';
import {
  type CreatedWebhookEndpoint,
  evolveWebhookEndpoint,
  isRunning,
  noWebhookEndpoint,
  validSecrets,
  type WebhookEndpoint,
} from './webhook-endpoint.state.js';

/** A worker's knowledge of an endpoint at the beginning of the attempt that disables it. */
export type SeenEndpoint = Pick<CreatedWebhookEndpoint, 'url' | 'enabledAt'>;

/** A new endpoint; without a description and a bound where it names none. */
type NewEndpoint = Omit<WebhookEndpointCreated['data'], 'description' | 'maxPerSecond'> &
  Partial<Pick<WebhookEndpointSettings, 'description' | 'maxPerSecond'>>;

export type WebhookEndpointCommand =
  | { readonly kind: 'CreateWebhookEndpoint'; readonly endpoint: NewEndpoint }
  | {
      readonly kind: 'ChangeWebhookEndpoint';
      readonly changes: Partial<WebhookEndpointSettings>;
      readonly now: Instant;
    }
  | { readonly kind: 'DisableWebhookEndpoint'; readonly reason: 'operator'; readonly now: Instant }
  | {
      readonly kind: 'DisableWebhookEndpoint';
      readonly reason: Exclude<DisableReason, 'operator'>;
      /** One that has another address by now, or was enabled since, is not disabled. */
      readonly seen: SeenEndpoint;
      readonly now: Instant;
    }
  | { readonly kind: 'EnableWebhookEndpoint'; readonly now: Instant }
  | {
      readonly kind: 'RotateWebhookSecret';
      readonly sealedSecret: string;
      /** How long the former one stays valid; 0: not at all. */
      readonly overlapMs: number;
      /** Until then a former one signs first; undefined: the new one signs first at once. */
      readonly useFrom?: Instant | undefined;
      readonly wallNow: Instant;
    }
  | {
      readonly kind: 'ResealSecrets';
      /** Sealed texts by those whose place they take; a text that is not named stays as it is. */
      readonly resealed: ReadonlyMap<string, string>;
    }
  | {
      readonly kind: 'RequestTestMessage';
      readonly testId: string;
      readonly eventType: string;
      readonly now: Instant;
    }
  | {
      readonly kind: 'RequestResend';
      /** Of any number of messages. */
      readonly resend: Resend;
      readonly now: Instant;
    }
  | { readonly kind: 'DeleteWebhookEndpoint'; readonly now: Instant };

export interface WebhookEndpointRejection extends AnyRejection {
  readonly code:
    | 'webhook_endpoint/disabled'
    /** No failure of that message is known there. */
    | 'webhook_endpoint/message_not_found'
    | 'webhook_endpoint/not_found'
    | 'webhook_endpoint/player_erased'
    | 'webhook_endpoint/too_many_secrets'
    /** The secret would be used only after the former ones have ended. */
    | 'webhook_endpoint/used_too_late';
  readonly violations?: readonly FieldViolation[];
}

/** A message is signed with each of them, and its header grows by each. */
export const MAX_VALID_SECRETS = 5;
/**
 * Messages that one event names: half of the smallest window of an endpoint in a partition, so that they have room
 * whenever the store is read again for a backlogged endpoint (decision 0031).
 */
export const MAX_RESENT_MESSAGES = 10;

/** Decides for one endpoint (rules/webhooks 7); a deleted one is gone for good. */
function decideWebhookEndpoint(
  command: WebhookEndpointCommand,
  state: WebhookEndpoint,
): Decision<WebhookEndpointEvent, WebhookEndpointRejection> {
  if (command.kind === 'CreateWebhookEndpoint') {
    if (state.status !== 'none') return accept();
    const data = { description: '', maxPerSecond: null, ...command.endpoint };
    return accept({ type: 'webhook_endpoint.created.v2', data });
  }
  if (!isRunning(state)) return reject('webhook_endpoint/not_found');
  switch (command.kind) {
    case 'ChangeWebhookEndpoint':
      return change(command, state);
    case 'DisableWebhookEndpoint':
      return disable(command, state);
    case 'EnableWebhookEndpoint':
      if (state.status === 'enabled') return accept();
      return accept({ type: 'webhook_endpoint.enabled.v1', data: { enabledAt: command.now } });
    case 'RotateWebhookSecret':
      return rotate(command, state);
    case 'ResealSecrets':
      return reseal(command, state);
    case 'RequestTestMessage':
      return requestTest(command, state);
    case 'RequestResend':
      return requestResend(command, state);
    case 'DeleteWebhookEndpoint':
      return accept({ type: 'webhook_endpoint.deleted.v1', data: { deletedAt: command.now } });
  }
}

type Of<Kind> = Extract<WebhookEndpointCommand, { readonly kind: Kind }>;
type Decided = Decision<WebhookEndpointEvent, WebhookEndpointRejection>;

function change(
  { changes, now }: Of<'ChangeWebhookEndpoint'>,
  state: CreatedWebhookEndpoint,
): Decided {
  const changed = Object.entries(changes).filter(
    ([field, value]) => !deepEqual(value, state[field as keyof WebhookEndpointSettings]),
  );
  if (changed.length === 0) return accept();
  const data = { ...Object.fromEntries(changed), changedAt: now };
  return accept({ type: 'webhook_endpoint.changed.v1', data });
}

/** An answer at another address, or before the endpoint was enabled again, says nothing of it now. */
function disable(command: Of<'DisableWebhookEndpoint'>, state: CreatedWebhookEndpoint): Decided {
  if (state.status === 'disabled') return accept();
  const { reason, now: disabledAt } = command;
  if (command.reason !== 'operator') {
    const { url, enabledAt } = command.seen;
    if (url !== state.url || enabledAt !== state.enabledAt) return accept();
  }
  return accept({ type: 'webhook_endpoint.disabled.v1', data: { reason, disabledAt } });
}

function rotate(
  { sealedSecret, overlapMs, useFrom = '', wallNow }: Of<'RotateWebhookSecret'>,
  state: CreatedWebhookEndpoint,
): Decided {
  // The wall clocks of two processes differ; a secret is not made before the one that it follows.
  const rotatedAt = wallNow < state.rotatedAt ? state.rotatedAt : wallNow;
  const former = overlapMs === 0 ? [] : validSecrets(state.secrets, rotatedAt);
  if (former.length >= MAX_VALID_SECRETS) return reject('webhook_endpoint/too_many_secrets');
  const oldExpiresAt = addMilliseconds(rotatedAt, overlapMs);
  if (useFrom > oldExpiresAt) {
    const description = `must not be after the end of the former secrets, ${oldExpiresAt}`;
    return rejectFields('webhook_endpoint/used_too_late', [{ field: 'useFrom', description }]);
  }
  const data = { sealedSecret, rotatedAt, useFrom: laterInstant(useFrom, rotatedAt), oldExpiresAt };
  return accept({ type: 'webhook_endpoint.secret_rotated.v1', data });
}

/** A secret that was rotated meanwhile is not among those that were sealed anew, and stays. */
function reseal({ resealed }: Of<'ResealSecrets'>, { secrets }: CreatedWebhookEndpoint): Decided {
  if (!secrets.some(({ sealed }) => resealed.has(sealed))) return accept();
  const sealedSecrets = secrets.map(({ sealed }) => resealed.get(sealed) ?? sealed);
  return accept({ type: 'webhook_endpoint.secret_resealed.v2', data: { sealedSecrets } });
}

function requestTest(
  { testId, eventType, now: requestedAt }: Of<'RequestTestMessage'>,
  state: CreatedWebhookEndpoint,
): Decided {
  if (state.status === 'disabled') return reject('webhook_endpoint/disabled');
  const data = { testId, eventType, requestedAt };
  return accept({ type: 'webhook_endpoint.test_requested.v1', data });
}

function requestResend(
  { resend, now: requestedAt }: Of<'RequestResend'>,
  state: CreatedWebhookEndpoint,
): Decided {
  if (state.status === 'disabled') return reject('webhook_endpoint/disabled');
  const { messages, restAfter } = resend;
  const events: WebhookEndpointResendRequested[] = [];
  const end = restAfter === null ? messages.length : Math.max(1, messages.length);
  for (let at = 0; at < end; at += MAX_RESENT_MESSAGES) {
    const isLast = at + MAX_RESENT_MESSAGES >= end;
    const named = messages.slice(at, at + MAX_RESENT_MESSAGES);
    const data = { messages: named, restAfter: isLast ? restAfter : null, requestedAt };
    events.push({ type: 'webhook_endpoint.resend_requested.v1', data });
  }
  return accept(...events);
}

export const webhookEndpointAggregate = defineAggregate('webhook_endpoint', {
  initialState: noWebhookEndpoint,
  evolve: evolveWebhookEndpoint,
  decide: decideWebhookEndpoint,
});
