import {
  accept,
  type Aggregate,
  type AnyRejection,
  type Decision,
  reject,
  unknownEvent,
} from '../decider/index.js';
import type { DomainEvent, Instant } from '../event/index.js';

/** Where an app is sent its webhooks (rules/webhooks 7). The signing secret stands in events sealed only. */
export type WebhookEndpointCreated = DomainEvent<
  'webhook_endpoint.created.v1',
  {
    readonly endpointId: string;
    readonly appId: string;
    readonly url: string;
    /** Event types and wildcards: `*`, `subscription.*`, `payment.failed`. */
    readonly eventTypes: readonly string[];
    readonly accept: AcceptedAnswers;
    readonly sealedSecret: string;
    readonly createdAt: Instant;
  }
>;
/** The same secret as before, sealed under another master key (rules/storage 13). */
export type WebhookEndpointSecretResealed = DomainEvent<
  'webhook_endpoint.secret_resealed.v1',
  { readonly sealedSecret: string }
>;
export type WebhookEndpointDeleted = DomainEvent<
  'webhook_endpoint.deleted.v1',
  { readonly deletedAt: Instant }
>;
export type WebhookEndpointEvent =
  WebhookEndpointCreated | WebhookEndpointDeleted | WebhookEndpointSecretResealed;

/** Any 2xx is success, but for endpoints that are set to accept only 200 (rules/webhooks 6). */
export const ACCEPTED_ANSWERS = ['2xx', '200'] as const;
export type AcceptedAnswers = (typeof ACCEPTED_ANSWERS)[number];

export type WebhookEndpoint =
  | { readonly status: 'none' }
  | (WebhookEndpointCreated['data'] & { readonly status: 'enabled' | 'deleted' });

export type WebhookEndpointCommand =
  | { readonly kind: 'CreateWebhookEndpoint'; readonly endpoint: WebhookEndpointCreated['data'] }
  | {
      readonly kind: 'ResealSecret';
      /** The text whose place the other one takes. */
      readonly former: string;
      readonly sealedSecret: string;
    }
  | { readonly kind: 'DeleteWebhookEndpoint'; readonly now: Instant };

export interface WebhookEndpointRejection extends AnyRejection {
  readonly code: 'webhook_endpoint/not_found';
}

/** Folds one event of an endpoint. */
function evolveWebhookEndpoint(
  state: WebhookEndpoint,
  event: WebhookEndpointEvent,
): WebhookEndpoint {
  switch (event.type) {
    case 'webhook_endpoint.created.v1':
      return state.status === 'none' ? { ...event.data, status: 'enabled' } : state;
    case 'webhook_endpoint.secret_resealed.v1':
      return state.status === 'none' ? state : { ...state, ...event.data };
    case 'webhook_endpoint.deleted.v1':
      return state.status === 'none' ? state : { ...state, status: 'deleted' };
    default:
      return unknownEvent(state, event);
  }
}

/** Decides for one endpoint; a deleted one is gone for good. */
function decideWebhookEndpoint(
  command: WebhookEndpointCommand,
  state: WebhookEndpoint,
): Decision<WebhookEndpointEvent, WebhookEndpointRejection> {
  if (command.kind === 'CreateWebhookEndpoint') {
    if (state.status !== 'none') return accept();
    return accept({ type: 'webhook_endpoint.created.v1', data: command.endpoint });
  }
  if (state.status !== 'enabled') return reject('webhook_endpoint/not_found');
  if (command.kind === 'ResealSecret') {
    const { former, sealedSecret } = command;
    if (state.sealedSecret !== former) return accept();
    return accept({ type: 'webhook_endpoint.secret_resealed.v1', data: { sealedSecret } });
  }
  return accept({ type: 'webhook_endpoint.deleted.v1', data: { deletedAt: command.now } });
}

/** Goods are granted by it, so no endpoint that takes types of its family can leave it out. */
const REQUIRED_TYPE = 'PURCHASE_SUCCEEDED';
/** The types of that family are in capitals; the others are of subscriptions and payments. */
const FAMILY_OF_REQUIRED = /^[A-Z_]+$/;

/** Whether an endpoint's list of types and wildcards covers an event type (rules/webhooks 7). */
export function coversEventType(eventTypes: readonly string[], type: string): boolean {
  return eventTypes.some(
    (wanted) =>
      wanted === '*' ||
      wanted === type ||
      (wanted.endsWith('.*') && type.startsWith(wanted.slice(0, -1))) ||
      (type === REQUIRED_TYPE && FAMILY_OF_REQUIRED.test(wanted)),
  );
}

export const webhookEndpointAggregate: Aggregate<
  WebhookEndpoint,
  WebhookEndpointCommand,
  WebhookEndpointEvent,
  WebhookEndpointRejection
> = {
  category: 'webhook_endpoint',
  decider: {
    initialState: { status: 'none' },
    evolve: evolveWebhookEndpoint,
    decide: decideWebhookEndpoint,
  },
};
