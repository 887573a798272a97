export { coversEventType, LEDGER_SEALED } from './event-selectors.js';
export {
  MAX_RESENT_MESSAGES,
  webhookEndpointAggregate,
  type WebhookEndpointCommand,
  type WebhookEndpointRejection,
} from './webhook-endpoint.decide.js';
export {
  ACCEPTED_ANSWERS,
  type AcceptedAnswers,
  type Resend,
  type ResentMessage,
  WEBHOOK_ENDPOINT_UPCASTERS,
  type WebhookEndpointEvent,
  type WebhookEndpointResendRequested,
} from './webhook-endpoint.events.js';
export {
  type CreatedWebhookEndpoint,
  isRunning,
  signingSecrets,
  validSecrets,
  type WebhookEndpoint,
} from './webhook-endpoint.state.js';
