export {
  ACCEPTED_ANSWERS,
  type AcceptedAnswers,
  coversEventType,
  type WebhookEndpoint,
  webhookEndpointAggregate,
  type WebhookEndpointEvent,
  type WebhookEndpointRejection,
} from './webhook-endpoint.js';
