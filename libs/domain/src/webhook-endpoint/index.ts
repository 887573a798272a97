export { coversEventType } from './event-selectors.js';
export {
  webhookEndpointAggregate,
  type WebhookEndpointCommand,
  type WebhookEndpointRejection,
} from './webhook-endpoint.decide.js';
export {
  ACCEPTED_ANSWERS,
  type AcceptedAnswers,
  type ResentMessage,
  type ResentRange,
  WEBHOOK_ENDPOINT_UPCASTERS,
  type WebhookEndpointEvent,
} from './webhook-endpoint.events.js';
export {
  type CreatedWebhookEndpoint,
  isRunning,
  validSecrets,
  type WebhookEndpoint,
} from './webhook-endpoint.state.js';
