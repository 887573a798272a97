export {
  ACCEPTED_ANSWERS,
  type AcceptedAnswers,
  coversEventType,
  evolveWebhookEndpoint,
  type WebhookEndpoint,
  webhookEndpointAggregate,
  type WebhookEndpointEvent,
  type WebhookEndpointRejection,
} from './webhook-endpoint.js';
